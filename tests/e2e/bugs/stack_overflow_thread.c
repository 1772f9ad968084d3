// A thread's stack is too small for its locals.
// teasel: strategies=random,dfs
// expect: crash
// expect: message ~ stack overflow
#include <pthread.h>
#include <string.h>

static void use(volatile char *p, unsigned long size) {
    for (unsigned long i = 0; i < size; i += 1024)
        p[size - 1 - i] = 1;
}

static void *worker(void *arg) {
    char room[32 << 20];
    use(room, sizeof room);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
