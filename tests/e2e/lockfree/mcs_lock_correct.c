// mcs_lock.c, with the compare-and-swap.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000 flags=--steps,2000,--seconds,5
// expect: clean
// expect: complete on=optimal
#define CORRECT
#include "mcs_lock.c"
