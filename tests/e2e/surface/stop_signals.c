// What a terminal sends to stop a program stops nobody here, as without a terminal; SIGSTOP does, and since nobody
// continues it, that run is cut: by a signal, and not by a limit.
// teasel: strategies=portfolio,random runs=20 native=no determinism=no
// expect: clean
// expect: reason ~ halted
// expect: verdict ~ incomplete
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    raise(SIGTSTP);
    kill(getpid(), SIGTTIN);
    raise(SIGTTOU);
    puts("goes on");
    fflush(stdout);
    raise(SIGSTOP);
    return 0;
}
