// semaphore_order.c, waiting for room before taking the lock.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "semaphore_order.c"
