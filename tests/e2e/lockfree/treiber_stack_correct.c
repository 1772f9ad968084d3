// treiber_stack.c, with the compare-and-swap.
// teasel: strategies=optimal runs=20000
// expect: complete
#define CORRECT
#include "treiber_stack.c"
