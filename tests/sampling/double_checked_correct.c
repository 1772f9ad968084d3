// double_checked.c, that says `done` at the end.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "double_checked.c"
