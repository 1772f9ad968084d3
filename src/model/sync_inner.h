// For sync.c, sync_memory.c and sync_object.c.
#ifndef TSL_MODEL_SYNC_INNER_H
#define TSL_MODEL_SYNC_INNER_H

#include "model/sync.h"

// In which way a mark matters.
enum {
    PLAIN_READ,
    PLAIN_WRITE,
    ATOMIC_READ,
    ATOMIC_WRITE,
    HEADS,   // its thread heads a release sequence, with the clock of that step
    CHANGED, // an object, in the role of a write
    ADDED,
    LOOKED,
    CREATED, // a thread
    ARRIVED  // at a barrier
};

// One step at one place.
typedef struct tsl_sync_at {
    tsl_sync *y;
    const tsl_history *h;
    uint32_t s;
    uint16_t slot;
    uint8_t mask;
    uint8_t kind, order; // of the access
    int way;
} tsl_sync_at;

typedef void tsl_sync_visit(const tsl_sync_at *x, tsl_sync_place *place);

// A place, by its key; made if it is not there.  Without `make`, its run is another one then.
tsl_sync_place *tsl_sync_find(const tsl_sync *y, uint64_t key);
tsl_sync_place *tsl_sync_make(tsl_sync *y, uint64_t key);
void tsl_sync_add_mark(tsl_sync *y, uint32_t *first, tsl_mark mark);
void tsl_sync_take_out(tsl_sync *y, uint32_t *link); // `link` leads to it

// The step happens after step `with`, and after all that happens before that; TSL_NONE: nothing.
void tsl_sync_follow(const tsl_sync_at *x, uint32_t with);

// ---------------------------------------------------------------- sync_memory.c

// What its atomic loads acquire; what it conflicts with (candidates); and what it leaves behind.
void tsl_sync_load(tsl_sync_at *x);
void tsl_sync_collect(tsl_sync_at *x);
void tsl_sync_record(tsl_sync_at *x);
void tsl_sync_fence(const tsl_sync_at *x, unsigned order);

// Most steps are one access within eight bytes: their place, or NULL.  Then these do.
tsl_sync_place *tsl_sync_only_place(tsl_sync_at *x);
tsl_sync_visit tsl_sync_load_at, tsl_sync_collect_at, tsl_sync_record_at;

// ---------------------------------------------------------------- sync_object.c

// All other synchronisation of the step.  Does it access memory, too?
bool tsl_sync_objects(const tsl_sync_at *x);

#endif
