// barrier_phase.c, with a barrier between reading and writing.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "barrier_phase.c"
