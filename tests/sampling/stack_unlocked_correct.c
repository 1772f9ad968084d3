// stack_unlocked.c, locked.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "stack_unlocked.c"
