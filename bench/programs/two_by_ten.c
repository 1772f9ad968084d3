// Two threads with ten shared accesses each: what does one short run cost?
#include <pthread.h>

static int shared;

static void *five_updates(void *arg) {
    for (int i = 0; i < 5; i++)
        shared = shared + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, five_updates, NULL);
    pthread_create(&b, NULL, five_updates, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
