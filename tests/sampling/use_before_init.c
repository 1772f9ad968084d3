// A service is started before the table it looks things up in is there.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: crash at=BUG
#include <pthread.h>
#include <stddef.h>

static const int squares[] = {0, 1, 4, 9, 16};
static const int *_Atomic table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int served;

static void *serve(void *arg) {
    const int *found = table;
    pthread_mutex_lock(&lock);
    served += found[3]; // BUG
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *prepare(void *arg) {
    pthread_mutex_lock(&lock);
    served = 0;
    pthread_mutex_unlock(&lock);
    table = squares;
    return arg;
}

int main(void) {
    pthread_t first, second, third;
    pthread_create(&first, NULL, prepare, NULL);
#ifdef CORRECT
    pthread_join(first, NULL);
#endif
    pthread_create(&second, NULL, serve, NULL);
    pthread_create(&third, NULL, serve, NULL);
#ifndef CORRECT
    pthread_join(first, NULL);
#endif
    pthread_join(second, NULL);
    pthread_join(third, NULL);
    return 0;
}
