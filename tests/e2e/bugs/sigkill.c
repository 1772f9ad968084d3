// The program kills itself the hard way: the campaign survives and the bug has a replay.
// teasel: strategies=random runs=20
// expect: crash
#include <signal.h>
#include <unistd.h>

int main(void) {
    kill(getpid(), SIGKILL);
    return 0;
}
