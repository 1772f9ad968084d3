// two_variables.c, with both in one critical section.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "two_variables.c"
