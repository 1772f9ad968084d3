// The runtime could not go on under seccomp: the program is told that it works, and the verdict that it does not.
// teasel: strategies=portfolio native=no
// expect: clean
// expect: verdict ~ but for what is not controlled
// expect: note ~ seccomp is not applied
#include <assert.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    char name[16] = "";
    assert(prctl(PR_SET_NAME, "confined") == 0);
    assert(prctl(PR_GET_NAME, name) == 0 && name[0] == 'c');
    assert(prctl(-1) == -1);
    assert(syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0);
    assert(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL) == 0);
    puts("still here");
    return 0;
}
