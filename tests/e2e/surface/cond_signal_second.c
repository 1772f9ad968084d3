// Which of two waiters a signal wakes is a choice: it can be the second.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#define WOKEN 2
#include "cond_signal_first.c"
