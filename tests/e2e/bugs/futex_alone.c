// Nobody wakes the futex.
// teasel: strategies=optimal
// expect: deadlock at=BUG
// expect: message ~ T0 waits for a wake-up of futex .word.$
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

int main(void) {
    return (int)syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0); // BUG
}
