// cnd_timedwait with a signal on its way: the timeout is reachable.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#define RESULT thrd_timedout
#include "c11_timedwait_signalled.c"
