// A spin lock is destroyed beside a thread that locks it: nobody waits there, whoever comes late makes an error.
// teasel: strategies=optimal,source,dfs flags=--keep-going
// expect: misuse at=BUG_LOCK ~ destroyed
// expect: misuse at=BUG_DESTROY ~ held
// expect: complete
// expect: bugs count=2
#include <pthread.h>

static pthread_spinlock_t lock;

static void *locks(void *arg) {
    pthread_spin_lock(&lock); // BUG_LOCK
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, locks, NULL);
    pthread_spin_destroy(&lock); // BUG_DESTROY
    pthread_join(thread, NULL);
    return 0;
}
