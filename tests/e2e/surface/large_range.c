// An access of more than 16 MiB at once is explored, but data races with it are not looked for: nothing is
// complete then.
// teasel: strategies=optimal,source runs=200
// expect: clean
// expect: verdict ~ complete, but for what is not controlled
#include <pthread.h>
#include <string.h>

char large[(16 << 20) + 1];

static void *fill(void *arg) {
    memset(large, 1, sizeof large);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, fill, NULL);
    pthread_create(&two, NULL, fill, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
