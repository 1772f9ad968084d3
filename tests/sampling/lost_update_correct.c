// lost_update.c, added in one step.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "lost_update.c"
