// Threads that each end the process in a way of their own.
//
//     ends MAIN STEPS WAY...
//
// MAIN: what main does behind creating the threads (join, return, exit, leave).  STEPS: how many steps each thread takes before it
// ends the process.  A way touches nothing that another one touches, but for the two mutexes of '1' and '2'.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAYS = 4 };
static int steps;
static _Atomic int turn;
static char *block;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void lock_both(pthread_mutex_t *x, pthread_mutex_t *y) {
    pthread_mutex_lock(x);
    pthread_mutex_lock(y);
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}

static void *end(void *way) {
    for (int i = 0; i < steps; i++)
        turn++;
    switch ((long)way) {
    case 'a':
        abort(); // abort
    case 'A':
        assert(!way); // assertion
    case 'r':
        raise(SIGTERM); // raise
    case 'k':
        kill(getpid(), SIGUSR1); // kill
    case 'K':
        kill(getpid(), SIGKILL); // killed
    case 't':
        pthread_kill(pthread_self(), SIGHUP); // thread-kill
    case 's':
        *(volatile int *)0 = 1; // segv
    case 'i':
        __builtin_trap(); // trap
    case 'f':
        free(block);
        free(block); // double-free
    case 'u': {
        char *own = malloc(1);
        free(own);
        *(volatile char *)own = 1; // use-after-free
    }
    case 'e':
        exit(3); // exit
    case '_':
        _exit(4); // _exit
    case 'q':
        quick_exit(5); // quick_exit
    case '1':
        lock_both(&a, &b);
        break;
    case '2':
        lock_both(&b, &a);
        break;
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[WAYS];
    int n = argc - 3;
    block = malloc(1);
    steps = atoi(argv[2]);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, end, (void *)(long)argv[3 + i][0]);
    for (int i = 0; i < n && argv[1][0] == 'j'; i++)
        pthread_join(threads[i], NULL);
    if (argv[1][0] == 'e')
        exit(6); // exit of main
    if (argv[1][0] == 'l')
        pthread_exit(NULL);
    return 0;
}
