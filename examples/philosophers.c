// Deadlock: a cycle of any length.
//
//     teasel test examples/philosophers.c -- 3
//     teasel test examples/philosophers.c -- 5
//
// Every philosopher takes the left fork, then the right one.  When all hold their left
// fork, none can go on.  What follows `--` is handed to the program.
//
// teasel: strategies=random runs=20000 args=4
// expect: deadlock at=BUG
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t fork_[16];
static int n = 3;

static void *philosopher(void *arg) {
    intptr_t left = (intptr_t)arg, right = (left + 1) % n;
    pthread_mutex_lock(&fork_[left]);
    pthread_mutex_lock(&fork_[right]); // BUG
    pthread_mutex_unlock(&fork_[right]);
    pthread_mutex_unlock(&fork_[left]);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread[16];
    if (argc > 1)
        n = atoi(argv[1]);
    if (n < 2 || n > 16)
        return 2;
    for (int i = 0; i < n; i++)
        pthread_mutex_init(&fork_[i], NULL);
    for (intptr_t i = 0; i < n; i++)
        pthread_create(&thread[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
