// When can a thread take the step it stands before?
#ifndef TSLRT_SYNC_ENABLED_H
#define TSLRT_SYNC_ENABLED_H

#include <stdbool.h>

typedef struct tslrt_fiber tslrt_fiber;

#define TSLRT_MAX_HELD 48

bool tslrt_can_run(const tslrt_fiber *fiber);
// Could the call that the thread is in return, if the thread were not cancelled?
bool tslrt_can_return(const tslrt_fiber *fiber, unsigned kind);
// See tslrt_held_remove in quick.h.
bool tslrt_held_remove_inner(void *lock);

#endif
