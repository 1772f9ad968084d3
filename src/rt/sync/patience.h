// What may still come from outside the process when no thread can run?
#ifndef TSLRT_SYNC_PATIENCE_H
#define TSLRT_SYNC_PATIENCE_H

#include <stdbool.h>

typedef struct tslrt_fiber tslrt_fiber;

// No thread can run, or `only` is to run and can't: waits for what may come from outside.
bool tslrt_await_outside(const tslrt_fiber *only);
bool tslrt_is_shared(const void *object); // with other processes
// No thread can run: does a thread wait for the world outside, or for an object that it shares with
// another process?
bool tslrt_waits_for_client(void);
bool tslrt_waits_for_process(void);

#endif
