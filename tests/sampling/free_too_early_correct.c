// free_too_early.c, where the worker says that it is done when it is.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "free_too_early.c"
