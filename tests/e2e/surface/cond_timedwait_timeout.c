// pthread_cond_timedwait with a signal on its way: the timeout is reachable.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#define RESULT ETIMEDOUT
#include "cond_timedwait_signalled.c"
