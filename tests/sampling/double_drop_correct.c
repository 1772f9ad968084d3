// double_drop.c, where the one who takes away the last use knows it.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "double_drop.c"
