// depth_3.c, where states only rise.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "depth_3.c"
