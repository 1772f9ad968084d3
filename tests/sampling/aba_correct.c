// aba.c, with a count of changes beside the top.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "aba.c"
