// A mutex is cleared by plain stores while another thread waits for it: what that thread finds later is not known.
// teasel: strategies=optimal flags=--keep-going native=no
// expect: deadlock
// expect: reason ~ uncontrolled
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, locks, NULL);
    memset(&mutex, 0, sizeof mutex);
    pthread_join(thread, NULL);
    return 0;
}
