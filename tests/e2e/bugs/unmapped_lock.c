// A lock whose page is unmapped: that it could have come before is not tried by all searches, so that the claim says less.
// teasel: strategies=optimal flags=--keep-going
// expect: crash at=12
// expect: reason ~ uncontrolled
#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t *lock;

static void *locks(void *unused) {
    // unmapped before, or not
    pthread_mutex_lock(lock);
    return unused;
}

int main(void) {
    pthread_t t;
    lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_mutex_init(lock, NULL);
    pthread_create(&t, NULL, locks, NULL);
    munmap(lock, 4096);
    pthread_join(t, NULL);
    return 0;
}
