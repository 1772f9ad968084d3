// When can a thread take the step it stands before, and when never?
#ifndef TSLRT_SYNC_ENABLED_H
#define TSLRT_SYNC_ENABLED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;

#define TSLRT_MAX_HELD 48

// Of a thread: mutexes and locks that it holds.
typedef struct tslrt_locks {
    uint16_t n;
    uint16_t lost; // there was no room for so many, so nothing can be said about what it holds
    void *held[TSLRT_MAX_HELD]; // oldest first; entries from n on have no meaning
} tslrt_locks;

bool tslrt_can_run(const tslrt_fiber *fiber);
// Could the call that the thread is in return, if the thread were not cancelled?
bool tslrt_can_return(const tslrt_fiber *fiber, unsigned kind);
// Does another thread stand before a step of that kind on the object?
bool tslrt_another_before(unsigned kind, const void *object);
// Threads that wait for ever: stuck.c.
uint16_t tslrt_owner_of(const tslrt_fiber *fiber); // which thread holds what the fiber waits for
bool tslrt_find_stuck(bool others_run); // marks all that are stuck; true if there are any
void tslrt_end_if_stuck(bool others_run);
// See tslrt_held_remove in quick.h.
bool tslrt_held_remove_inner(void *lock);

#endif
