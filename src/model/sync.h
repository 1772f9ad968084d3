// Which accesses of a run are not ordered by happens-before, as C11 defines it?
//
// Exploration is sequentially consistent, so of two atomic accesses one comes first; but only some
// of them order the accesses around them.  The rules are those of C17 5.1.2.4 and 7.17.4, with
// consume as acquire.  In the table, t is the thread, and
//
//     C   is the clock of t
//     R   is the clock that t had at its last release fence
//     A   joins the clocks that relaxed loads of t have read
//     H   belongs to a byte: the release sequences that its last store belongs to, as a map from
//         the thread that heads a sequence to the clock that the sequence hands over
//     L   joins all clocks of H
//
//     store by t, release        H = {t: C}
//     store by t, relaxed        H = {t: H[t] joined with R}
//     read-modify-write by t     load as below; H[t] = H[t] joined with (release: C, else: R)
//     load, acquire              C = C joined with L
//     load, relaxed              A = A joined with L
//     fence, acquire             C = C joined with A
//     fence, release             R = C; an acq_rel or seq_cst fence acquires first
//     plain store                H = {}
//     other synchronisation      steps that conflict (abi/conflict.h) are ordered as they ran; so
//                                are atomic sections, and opaque inline assembly
//
// Every clock in H, R and A is the clock of a thread at one of its steps, and the clocks of a
// thread only grow.  So the code keeps steps instead of clocks, and of two steps of a thread the
// later.
//
// Two accesses of the same bytes race if at least one of them writes, they are not both atomic, and
// they are not ordered.  With `by_races`, two accesses that race count as ordered from then on.  So
// of data that is handed over by a plain flag only the race on the flag is reported.
//
// tests/oracle/test_races.c compares this code with a definition that enumerates all interleavings.
#ifndef TSL_MODEL_SYNC_H
#define TSL_MODEL_SYNC_H

#include "model/history.h"

// A step that still matters to later steps on the same eight bytes or the same object.
typedef struct tsl_sync_entry {
    uint32_t next;
    uint32_t step;
    uint32_t round; // of an arrival at a barrier
    uint16_t slot;  // of the step's thread
    uint8_t mask;   // the bytes for which it matters; of an arrival: 1 until its thread has left
    uint8_t as;     // how it matters; see sync_inner.h
} tsl_sync_entry;

// Eight bytes, or an object.
typedef struct tsl_sync_place {
    uint64_t key;
    uint64_t run;   // number of the run that this place belongs to; others are stale
    uint32_t first; // its first entry
    uint32_t round; // of a barrier
    bool full;      // of a barrier: all threads of the round have arrived
} tsl_sync_place;

typedef struct tsl_sync_thread {
    uint32_t last;    // its last step, or TSL_NONE
    uint32_t clock;   // of that step
    uint32_t release; // its last release fence, or TSL_NONE
    uint32_t read;    // the first entry of those that make up A, or TSL_NONE
} tsl_sync_thread;

typedef struct tsl_sync {
    bool by_races;
    TSL_VEC(uint32_t) of_step; // step -> its clock
    TSL_VEC(uint32_t) clocks;  // each clock is its length, then that many components
    bool owned;                // the last clock belongs to the current step alone
    TSL_VEC(tsl_sync_entry) entries;
    uint32_t unused;                  // head of the list of unused entries
    uint32_t opaque;                  // the last opaque step or atomic section, or TSL_NONE
    TSL_VEC(tsl_sync_thread) threads; // by slot
    tsl_sync_place *places;           // hash table with open addressing
    size_t size, used;
    uint64_t run;             // number of the current run
    tsl_step_list candidates; // steps that conflict with the current step, ordered or not
    tsl_step_list races;      // steps that race with the step read last, latest first
} tsl_sync;

void tsl_sync_init(tsl_sync *sync, bool by_races);
void tsl_sync_drop(tsl_sync *sync);

// Begins a new run.
void tsl_sync_begin(tsl_sync *sync);
// Reads step number s of the history, which must be the next one.  Fills `races`.
void tsl_sync_read(tsl_sync *sync, const tsl_history *h, uint32_t s);
// Fills `races` for a step that did not run, a pending plain access, and keeps nothing else of it.
void tsl_sync_peek(tsl_sync *sync, const tsl_history *h, uint32_t s);

// Does a happen before b?  Both were read, and the number of a is less than that of b.
bool tsl_sync_before(const tsl_sync *sync, const tsl_history *h, uint32_t a, uint32_t b);

// Fills `out` with the steps between the two that do not happen after the first one.
void tsl_sync_rest(const tsl_sync *sync, const tsl_history *h, uint32_t first, uint32_t second,
                   tsl_step_list *out);

#endif
