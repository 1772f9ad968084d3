// Endless: a server loop.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int requests, served;

static void *serve(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (served == requests)
            pthread_cond_wait(&c, &m);
        served++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, serve, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        requests++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
}
