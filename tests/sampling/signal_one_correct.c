// signal_one.c, waking all.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "signal_one.c"
