// A lock made of a futex excludes; a wait on a changed word returns at once.
// teasel: strategies=random runs=2000
// expect: clean
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word; // 0 free, 1 held, 2 held and waited for
static int inside, total;

static void take(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void give(void) {
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *arg) {
    for (int i = 0; i < 2; i++) {
        take();
        assert(inside++ == 0);
        total++;
        inside--;
        give();
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    struct timespec soon = {0, 1000};
    assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 7, NULL, NULL, 0) == -1 &&
           errno == EAGAIN);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &soon, NULL, 0) == -1);
    assert(errno == ETIMEDOUT);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 4);
    return 0;
}
