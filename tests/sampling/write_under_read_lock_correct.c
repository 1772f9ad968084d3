// write_under_read_lock.c, under the write lock.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "write_under_read_lock.c"
