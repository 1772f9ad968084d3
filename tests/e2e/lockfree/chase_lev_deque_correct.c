// chase_lev_deque.c, with the compare-and-swap.
// teasel: strategies=optimal runs=20000
// expect: complete
#define CORRECT
#include "chase_lev_deque.c"
