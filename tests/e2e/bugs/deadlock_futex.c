// The wake-up is sent before anybody waits, and the word is not changed.
// teasel: strategies=random,dfs runs=2000
// expect: deadlock at=BUG
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void *waker(void *arg) {
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waker, NULL);
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0); // BUG
    pthread_join(thread, NULL);
    return 0;
}
