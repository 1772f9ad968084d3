// Stopped: the same, by kill.
#include <signal.h>
#include <unistd.h>

int main(void) { kill(getpid(), SIGSTOP); }
