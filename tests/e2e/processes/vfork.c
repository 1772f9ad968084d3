// Two threads start a process each with vfork and wait for it: the parent stays whole.
//
// teasel: strategies=random runs=20 determinism=no
// expect: clean
#define FORK vfork
#include "fork.c"
