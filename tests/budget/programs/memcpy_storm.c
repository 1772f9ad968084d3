// Long: large copies by two threads.
#include <pthread.h>
#include <string.h>

static char from[1 << 16], to[1 << 16];

static void *copy(void *unused) {
    for (int i = 0; i < 200; i++)
        memcpy(to, from, sizeof to);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, copy, 0);
    copy(0);
    pthread_join(t, 0);
}
