// Stopped: the program stops itself.
#include <signal.h>

int main(void) { raise(SIGSTOP); }
