// The serial thread of a barrier can be the one that was made.
// teasel: strategies=random,dfs runs=500
// expect: assertion at=BUG
#define SERIAL 0
#include "barrier_serial_main.c"
