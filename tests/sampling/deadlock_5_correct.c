// deadlock_5.c, that takes the lower lock first.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "deadlock_5.c"
