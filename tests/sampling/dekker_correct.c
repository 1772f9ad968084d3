// dekker.c, that looks again after stepping back.
// teasel: strategies=optimal runs=50000
// expect: complete
#define CORRECT
#include "dekker.c"
