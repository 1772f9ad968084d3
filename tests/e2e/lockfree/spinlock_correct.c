// spinlock.c, let go at the end.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000 flags=--steps,2000,--seconds,5
// expect: clean
// expect: complete on=optimal
#define CORRECT
#include "spinlock.c"
