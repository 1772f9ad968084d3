// pthread_mutex_timedlock while another thread holds the lock for a moment:
// giving up is reachable.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#define RESULT ETIMEDOUT
#include "timedlock_acquired.c"
