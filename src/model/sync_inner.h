// What do sync.c, sync_memory.c and sync_object.c share?
#ifndef TSL_MODEL_SYNC_INNER_H
#define TSL_MODEL_SYNC_INNER_H

#include "model/sync.h"

// How an entry matters: as an access, or as one of the other things below.
enum {
    PLAIN_READ,
    PLAIN_WRITE,
    ATOMIC_READ,
    ATOMIC_WRITE,
    HEADS,   // its thread heads a release sequence, which hands over the clock of the step
    CHANGED, // it accessed an object, as a write
    ADDED,   // ... as an add
    LOOKED,  // ... as a read
    CREATED, // it created a thread
    ARRIVED  // it arrived at a barrier
};

// The current step, at one place.
typedef struct tsl_sync_at {
    tsl_sync *y;
    const tsl_history *h;
    uint32_t s;
    uint16_t slot;
    uint8_t mask;
    uint8_t kind, order; // of the access
    int way;             // PLAIN_READ ... ATOMIC_WRITE
} tsl_sync_at;

typedef void tsl_sync_visit(const tsl_sync_at *x, tsl_sync_place *place);

// Finds a place by its key.  If the place does not exist, the entry returned belongs to another
// run.
tsl_sync_place *tsl_sync_find(const tsl_sync *y, uint64_t key);
// Finds a place by its key, or makes it.
tsl_sync_place *tsl_sync_make(tsl_sync *y, uint64_t key);
void tsl_sync_add_entry(tsl_sync *y, uint32_t *first, tsl_sync_entry entry);
// Adds an entry of a step of the current thread to a place.
static inline void tsl_sync_note(const tsl_sync_at *x, tsl_sync_place *p, uint32_t step,
                                 unsigned mask, unsigned as) {
    tsl_sync_add_entry(x->y, &p->first,
                       (tsl_sync_entry){.step = step,
                                        .round = p->round,
                                        .slot = x->slot,
                                        .mask = (uint8_t)mask,
                                        .as = (uint8_t)as});
}
// Takes the entry that `link` leads to out of its list.
void tsl_sync_take_out(tsl_sync *y, uint32_t *link);

// The current step happens after step `with` and all that happens before that.  Does nothing if
// `with` is TSL_NONE.
void tsl_sync_follow(const tsl_sync_at *x, uint32_t with);

// ---------------------------------------------------------------- sync_memory.c

// For all accesses of the current step: acquires by its atomic loads ...
void tsl_sync_load(tsl_sync_at *x);
// ... adds the steps that it conflicts with to the candidates ...
void tsl_sync_collect(tsl_sync_at *x);
// ... and leaves entries for later steps.
void tsl_sync_record(tsl_sync_at *x);
void tsl_sync_fence(const tsl_sync_at *x, unsigned order);

// Most steps are a single access within eight bytes.  Returns the place of such a step, for which
// the three functions below do the same; or NULL.
tsl_sync_place *tsl_sync_only_place(tsl_sync_at *x);
tsl_sync_visit tsl_sync_load_at, tsl_sync_collect_at, tsl_sync_record_at;

// ---------------------------------------------------------------- sync_object.c

// Does all other synchronisation of the current step.  Does the step access memory, too?
bool tsl_sync_objects(const tsl_sync_at *x);

#endif
