// rare_order.c, with a watcher who does not mind.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio runs=2000
// expect: clean
#define CORRECT
#include "rare_order.c"
