// peterson.c, as Peterson has it: I want, and you go first.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "peterson.c"
