// Threads.
#ifndef TSLRT_SYNC_THREAD_H
#define TSLRT_SYNC_THREAD_H

#include <stdbool.h>
#include <stdnoreturn.h>

noreturn void tslrt_fiber_finish(void *result);
void tslrt_single_threaded(bool single); // what glibc says about the number of threads

#endif
