// use_before_init.c, where the service is started when the table is there.
// teasel: strategies=optimal runs=2000
// expect: complete
#define CORRECT
#include "use_before_init.c"
