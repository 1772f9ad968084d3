// The execution at hand: its steps, and which of them happen before which.
//
// Steps are appended at the end and cut off from the end, so that the search can go
// back to a prefix and on from there at the cost of what changed.  The meaning:
//
//     depends directly   different threads and a conflict (abi/conflict.h); or `a` woke
//                        the thread of `b`, and `b` is its next step
//     before(a, b)       the transitive closure of that and of program order
//
// Each step has a vector clock: of every thread, how many steps happen before it.  A step
// that learns nothing new shares the clock of its thread's last step.
//
// A hash over the direct dependences stands for the whole partial order: two executions
// have the same hash iff they are the same Mazurkiewicz trace (bar collisions).
//
// tests/oracle/test_history.c holds this to a naive twin.
#ifndef TSL_MODEL_HISTORY_H
#define TSL_MODEL_HISTORY_H

#include "base/map.h"
#include "base/vec.h"
#include "model/run.h"

#define TSL_NONE UINT32_MAX

// Part of an access: a cell of memory, or an object.
typedef struct tsl_touch {
    uint32_t object;     // in the history's table
    uint32_t step;       //
    uint32_t prev;       // touch of the same object before this one
    uint32_t prev_write; // what the object's last_write was before this one
    uint32_t state;      // of a synchronisation object, after it; see state.h
    uint16_t access;     // which of the step's accesses it belongs to
    uint8_t mask;        // bytes of memory; at least those that its cell has now
    uint8_t role;        // enum tsl_role
} tsl_touch;

typedef struct tsl_step {
    uint64_t hash; // of the step and its past
    uint64_t key;  // address and kind of the first access: to compare two runs
    uint32_t site;
    uint32_t clock, clocks_end;
    uint32_t index;                    // how-manieth of its thread, from 1
    uint32_t before;                   // its thread's previous step
    uint32_t latest;                   // the last step that happens before it, or TSL_NONE
    uint32_t woken_by;                 // the step that made it possible, or TSL_NONE
    uint32_t touches, accesses, wakes; // where its own begin
    uint32_t next_event;               // where the next step begins in the trace
    uint16_t slot, thread;             // dense number in this history; number in the program
    uint16_t choice, nchoices;
    uint16_t res;
    uint8_t kind;
    uint8_t order : 7;   // memory_order
    uint8_t unknown : 1; // tsl_op.unknown
} tsl_step;

// A direct dependence of the step appended last.
typedef struct tsl_dep {
    uint32_t step;
    uint16_t access; // through which of its accesses, or one of the following
    uint16_t slot;   // whose step it is
} tsl_dep;

#define TSL_DEP_ALWAYS UINT16_MAX       // not by a conflict
#define TSL_DEP_OPAQUE (UINT16_MAX - 1) // one of the two may touch anything

typedef struct tsl_slot {
    uint16_t thread;
    uint32_t last; // step
    uint32_t wake; // step that woke it, not yet followed by one of its own
} tsl_slot;

enum tsl_way { TSL_WAY_READ = 1, TSL_WAY_CAS = 2 }; // by a plain access, by a compare-and-swap

// A synchronisation object, or a cell: those of eight aligned bytes that have always been
// touched together.  An access that touches only part of a cell splits it, so every touch of a
// cell covers the whole of it, and the last write ends any search for conflicts.  The new cell
// begins with the touches of the old one; splits are never taken back.
typedef struct tsl_object {
    uint64_t key;
    uint32_t last;       // touch
    uint32_t last_write; // of a cell: the last write; of an object: the last touch whose role
                         // is another one than that of `last`
    uint32_t memory;     // of an object: the first cell of the eight bytes it lives in; of
                         // a cell that is not the first one of its eight bytes: that one;
                         // of a first one: another first one of its page, or TSL_NONE
    union {
        uint32_t first_inside; // of a first cell: objects that begin in the eight bytes, linked
        uint32_t width;        // of an object: the most bytes it took so far
    };
    uint32_t next;         // the next such object; of a cell: the next one of its eight bytes
    uint32_t mask : 8;     // of a cell: its bytes; 0xff of an object
    uint32_t is_first : 1; // the first cell of its eight bytes
    uint32_t ways : 2;     // of a cell: enum tsl_way, if there was a compare-and-swap
    // Number of a tsl_extent, 0: none.  Of an object: further eight bytes that it takes; of a first
    // cell: objects that begin before the eight bytes.
    uint32_t reaches : 21;
} tsl_object;

// Objects are mostly larger than eight bytes.  Both sides are linked once both were touched.
typedef struct tsl_extent {
    uint32_t other; // the first cell, or the object
    uint32_t next;  // number of the next one
} tsl_extent;

enum { TSL_REACHED_BITS = 4096 };

typedef TSL_VEC(uint32_t) tsl_positions;
typedef TSL_VEC(uint32_t) tsl_step_list;

typedef struct tsl_history {
    TSL_VEC(tsl_step) steps;
    TSL_VEC(tsl_access) accesses;
    TSL_VEC(tsl_touch) touches;
    TSL_VEC(tsl_wake) wakes;
    TSL_VEC(uint32_t) clocks; // each: its length, then so many components
    TSL_VEC(tsl_slot) slots;
    TSL_VEC(tsl_positions) by_slot; // steps of each thread; as many as there ever were slots
    TSL_VEC(tsl_object) objects;
    TSL_VEC(tsl_extent) reaches;             // number 1 first
    uint64_t reached[TSL_REACHED_BITS / 64]; // eight bytes that an object may reach into, hashed
    TSL_VEC(tsl_dep) deps;    // of the step appended last; of each thread and access, the latest
    size_t deps_from;         // where those of the access at hand begin
    uint32_t *dep_of;         // slot -> where in deps it may be
    TSL_VEC(uint32_t) opaque; // steps that may touch anything
    TSL_VEC(uint32_t) frees;  // steps that free a block
    uint32_t *index;          // hash table into objects
    size_t index_size;
    tsl_map pages;     // number of a page -> 1 + the cell made last of it
    uint16_t *slot_of; // thread number -> slot + 1
    uint64_t sum;
    // The step at which the run failed, so that no step can follow it; or 0, which follows nothing.
    uint32_t failing;
    bool has_rare;    // there was an opaque step, one that frees, or one that failed
    bool has_split;   // there was a cell that was split
    bool has_odd;     // there was a step that conflicts with others but through an object
    bool has_unknown; // there was a step that conflicts with everything, even what touches nothing
    // Accesses that can stand next to each other are not all that race (sync.h): there was an atomic
    // access or a fence weaker than sequentially consistent, or a compare-and-swap of what is also
    // read by a plain access.
    bool by_clocks;
    bool has_cas;   // there was one
    bool has_touch; // unknown code was handed memory
    // The last step that read bytes in which a synchronisation object lives, or changed an object whose bytes
    // were read; 0, which does neither, if there was none.  See inside.h.
    uint32_t inside;
    bool coarse;         // what depends on values in memory counts as a write in any case
    bool looks_at_ends;  // or at whether a thread has ended
    bool reads_conflict; // LCT Fig. 2: any two accesses of one place depend on each other
} tsl_history;

void tsl_history_init(tsl_history *h);
void tsl_history_drop(tsl_history *h);

// Appends a step of a run; returns its number.
uint32_t tsl_history_append(tsl_history *h, const tsl_step_view *view);
// Goes back to the first n steps.
void tsl_history_cut(tsl_history *h, size_t n);

// The events from `from` on (tsl_run_decisive_part) touch nothing that another thread has
// touched, so nothing can be learned from them; `hash` is that of the whole.  False: they do.
bool tsl_history_skip(const tsl_history *h, const tsl_run *run, size_t from, uint64_t *hash);

// Where in the run of the history's steps the next step begins.
static inline size_t tsl_history_position(const tsl_history *h) {
    return h->steps.len ? tsl_vec_last(&h->steps).next_event : 0;
}

// Appends the steps of a run from the history's own length on.
void tsl_history_read(tsl_history *h, const tsl_run *run);

// How many steps of the thread in `slot` happen before step s or are it.
static inline uint32_t tsl_history_knows(const tsl_history *h, uint32_t s, unsigned slot) {
    const tsl_step *step = &h->steps.data[s];
    if (slot == step->slot)
        return step->index;
    const uint32_t *clock = h->clocks.data + step->clock;
    return slot < clock[0] ? clock[1 + slot] : 0;
}

// a < b as numbers.
static inline bool tsl_history_before(const tsl_history *h, uint32_t a, uint32_t b) {
    const tsl_step *step = &h->steps.data[a];
    return tsl_history_knows(h, b, step->slot) >= step->index;
}

// Of the whole execution: the same iff it is the same trace.
uint64_t tsl_history_hash(const tsl_history *h);
// Of how far it has come: the same iff it is the same part of a trace.
uint64_t tsl_history_place(const tsl_history *h);

// The first of these steps behind step s, or TSL_NONE.
uint32_t tsl_positions_behind(const tsl_positions *steps, uint32_t s);

// Does a step behind `after` conflict with op that does not happen after it?  `but` and those
// that are gone (by slot: up to which index) are not looked at.
bool tsl_history_conflict_behind(const tsl_history *h, const tsl_op *op, uint32_t after,
                                 uint32_t but, const uint32_t *gone);

tsl_op tsl_history_op(const tsl_history *h, uint32_t step);
bool tsl_history_conflict(const tsl_history *h, const tsl_op *op, uint32_t step);

// Of an object: the last touch before t whose role is another one.  What lies between does not
// conflict with a touch in the role of t, unless that is a write.
static inline uint32_t tsl_touch_other(const tsl_history *h, uint32_t t) {
    const tsl_touch *touch = &h->touches.data[t];
    return touch->prev != TSL_NONE && h->touches.data[touch->prev].role == touch->role
               ? touch->prev_write
               : touch->prev;
}

// The step with which the process ended for all to see, or TSL_NONE.  Only its thread takes steps behind it.
static inline uint32_t tsl_history_exit(const tsl_history *h) {
    uint32_t s = h->opaque.len ? tsl_vec_last(&h->opaque) : TSL_NONE;
    return s != TSL_NONE && h->steps.data[s].kind == TSL_EV_EXIT ? s : TSL_NONE;
}

static inline size_t tsl_history_len(const tsl_history *h) { return h->steps.len; }

static inline uint32_t tsl_step_accesses_end(const tsl_history *h, uint32_t s) {
    return s + 1 < h->steps.len ? h->steps.data[s + 1].accesses : (uint32_t)h->accesses.len;
}

static inline uint32_t tsl_step_touches_end(const tsl_history *h, uint32_t s) {
    return s + 1 < h->steps.len ? h->steps.data[s + 1].touches : (uint32_t)h->touches.len;
}

static inline uint32_t tsl_step_wakes_end(const tsl_history *h, uint32_t s) {
    return s + 1 < h->steps.len ? h->steps.data[s + 1].wakes : (uint32_t)h->wakes.len;
}

#endif
