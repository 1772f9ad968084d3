// michael_scott_queue.c, with the compare-and-swap.
// teasel: strategies=optimal runs=20000
// expect: complete
#define CORRECT
#include "michael_scott_queue.c"
