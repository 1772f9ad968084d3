// deadlock_2.c, that locks the lower account first.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "deadlock_2.c"
