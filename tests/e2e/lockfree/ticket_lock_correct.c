// ticket_lock.c, with tickets drawn in one step.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=20000 flags=--steps,2000,--seconds,5
// expect: clean
// expect: complete on=optimal
#define CORRECT
#include "ticket_lock.c"
