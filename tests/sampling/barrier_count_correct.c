// barrier_count.c, with a barrier for all.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "barrier_count.c"
