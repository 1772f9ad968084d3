// map_put_if_absent.c, in one critical section.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "map_put_if_absent.c"
