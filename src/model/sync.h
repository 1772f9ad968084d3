// Happens-before by the rules of C11: which accesses of a run are not ordered?
//
// Exploration is sequentially consistent, so of two atomic accesses one comes first; but only some
// of them order what stands around them.  The rules (C17 5.1.2.4 and 7.17.4; consume counts as
// acquire), with C the clock of a thread, R its clock at its last release fence, A what its relaxed
// loads have read, and for each byte H: whose release sequences its last store belongs to, and which
// clock each of them hands over.  L is all of H.
//
//     store by t, release        H = {t: C}
//     store by t, relaxed        H = {t: H[t] joined with R}
//     read-modify-write by t     load as below; H[t] = H[t] joined with (release: C, else: R)
//     load, acquire              C = C joined with L
//     load, relaxed              A = A joined with L
//     fence, acquire             C = C joined with A
//     fence, release             R = C; an acq_rel or seq_cst fence acquires first
//     plain store                H = {}
//     other synchronisation      what conflicts (abi/conflict.h) is ordered as it was executed;
//                                so are atomic sections, and inline assembly that may touch anything
//
// Every clock in H, R and A is the clock of one thread at one of its steps, and the clocks of a
// thread only grow.  So steps are kept instead of clocks, and of two steps of one thread the later.
//
// Two accesses of the same bytes race if one of them writes, they are not both atomic, and they are
// not ordered.  With `by_races` two accesses that race are ordered from there on, so that a pair
// which only another race keeps apart (data behind a plain flag) is not told: the other race is.
//
// tests/oracle/test_races.c holds this to a definition that enumerates all interleavings.
#ifndef TSL_MODEL_SYNC_H
#define TSL_MODEL_SYNC_H

#include "model/history.h"

// A step that later steps of the same eight bytes, or of the same object, may have to do with.
typedef struct tsl_mark {
    uint32_t next;
    uint32_t step;
    uint32_t round; // of an arrival at a barrier
    uint16_t slot;  // of the thread
    uint8_t mask;   // bytes; of an arrival: 1 until its thread has left
    uint8_t as;     // in which way it matters, see sync.c
} tsl_mark;

// Eight bytes, or an object.
typedef struct tsl_sync_place {
    uint64_t key;
    uint64_t run;   // of which run this is
    uint32_t first; // mark
    uint32_t round; // of a barrier
    bool full;      // its round is
} tsl_sync_place;

typedef struct tsl_sync_thread {
    uint32_t last;    // step, or TSL_NONE
    uint32_t clock;   // of that step
    uint32_t release; // its last release fence, or TSL_NONE
    uint32_t read;    // first mark of what relaxed loads have read
} tsl_sync_thread;

typedef struct tsl_sync {
    bool by_races;
    TSL_VEC(uint32_t) of_step; // the clock of each step
    TSL_VEC(uint32_t) clocks;  // each: its length, then so many components
    bool owned;                // the last one is of the step that is being read, and of none other
    TSL_VEC(tsl_mark) marks;
    uint32_t unused; // marks that were taken out, linked
    uint32_t opaque; // the last step that may touch anything, or is an atomic section; or TSL_NONE
    TSL_VEC(tsl_sync_thread) threads; // by slot
    tsl_sync_place *places;           // open addressing
    size_t size, used;
    uint64_t run;
    tsl_step_list candidates; // of the step being read: what it conflicts with
    tsl_step_list races;      // steps that race with the step read last, latest first
} tsl_sync;

void tsl_sync_init(tsl_sync *sync, bool by_races);
void tsl_sync_drop(tsl_sync *sync);

// Forgets everything: a new run begins.
void tsl_sync_begin(tsl_sync *sync);
// Reads step number s of the history, which must be the next one.  Fills `races`.
void tsl_sync_read(tsl_sync *sync, const tsl_history *h, uint32_t s);
// Only fills `races`: the step, of a plain access, was not made.
void tsl_sync_peek(tsl_sync *sync, const tsl_history *h, uint32_t s);

// a < b as numbers; both were read.
bool tsl_sync_before(const tsl_sync *sync, const tsl_history *h, uint32_t a, uint32_t b);

// The steps between the two that do not happen after the first one.
void tsl_sync_rest(const tsl_sync *sync, const tsl_history *h, uint32_t first, uint32_t second,
                   tsl_step_list *out);

#endif
