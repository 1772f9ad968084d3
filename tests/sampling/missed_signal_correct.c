// missed_signal.c, with the look and the wait under one lock, and in a loop.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "missed_signal.c"
