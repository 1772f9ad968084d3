// Which steps of a run happen before which?
//
// A history holds the steps of one run, or of its beginning.  Steps are appended and cut off at the
// end, so a search that goes back to a prefix and on from there pays only for what changed.  The
// meaning:
//
//     b depends directly on a   a and b are steps of different threads and conflict
//                               (abi/conflict.h); or a woke the thread of b, and b is the next step
//                               of that thread
//     before(a, b)              the transitive closure of direct dependence and program order
//
// Each step has a vector clock, which says for every thread how many of its steps happen before the
// step.  A step that learns nothing new shares the clock of the last step of its thread.
//
// A hash over the direct dependences stands for the whole order: two runs have the same hash if and
// only if they are the same Mazurkiewicz trace (bar hash collisions).
//
// tests/oracle/test_history.c compares this code with a naive twin.
#ifndef TSL_MODEL_HISTORY_H
#define TSL_MODEL_HISTORY_H

#include "base/map.h"
#include "model/run.h"

#define TSL_NONE UINT32_MAX

// What an access does to one cell of memory or to one object.  An access of several cells has a
// touch for each.
typedef struct tsl_touch {
    uint32_t object;     // the cell or object: index into the history's table
    uint32_t step;       // the step that the access belongs to
    uint32_t prev;       // the touch of the same object before this one, or TSL_NONE
    uint32_t prev_write; // the object's last_write before this touch
    uint32_t state;      // of a synchronisation object: its state after this touch (state.h)
    uint16_t access;     // index of the access among those of the step
    uint8_t mask;        // of a cell: the bytes touched; at least those that the cell has now
    uint8_t role;        // enum tsl_role
} tsl_touch;

typedef struct tsl_step {
    uint64_t hash; // of the step and everything that happens before it
    uint64_t key;  // the address of its event: to compare two runs
    uint32_t site;
    uint32_t clock;                    // where its clock lies in `clocks`
    uint32_t clocks_end;               // the length of `clocks` after this step was appended
    uint32_t index;                    // index of this step within its thread, from 1
    uint32_t before;                   // the previous step of its thread, or TSL_NONE
    uint32_t latest;                   // the last step that happens before this one, or TSL_NONE
    uint32_t woken_by;                 // the step that woke its thread for this step, or TSL_NONE
    uint32_t touches, accesses, wakes; // where those of this step begin in the history's tables
    uint32_t next_event;               // position of the next step in the run
    uint16_t slot;                     // number of its thread in this history, without gaps
    uint16_t thread;                   // number of its thread in the program
    uint16_t choice, nchoices;
    uint16_t res;
    uint8_t kind;
    uint8_t order : 7;   // memory_order
    uint8_t unknown : 1; // tsl_op.unknown
} tsl_step;

// A direct dependence of the step appended last.
typedef struct tsl_dep {
    uint32_t step;
    uint16_t access; // the access of the later step that conflicts, or one of the two below
    uint16_t slot;   // of the earlier step's thread
} tsl_dep;

#define TSL_DEP_ALWAYS UINT16_MAX       // the dependence is no conflict: a thread's creation
#define TSL_DEP_OPAQUE (UINT16_MAX - 1) // one of the two steps may touch anything

typedef struct tsl_slot {
    uint16_t thread;
    uint32_t last; // its last step, or TSL_NONE
    uint32_t wake; // the step that woke it, until it takes a step itself; or TSL_NONE
} tsl_slot;

// How a cell was accessed: by a plain read, by a compare-and-swap.
enum tsl_way { TSL_WAY_READ = 1, TSL_WAY_CAS = 2 };

// A synchronisation object or a cell of memory; the comments call only the former an object.
//
// A cell is a set of bytes, out of eight aligned ones, that have always been touched together.  An
// access that touches only part of a cell splits the cell, so every touch of a cell covers all of
// it, and a search for conflicts can stop at the last write.  A new cell that a split makes begins
// with the touches of the old one; splits are never undone.
//
// The *first cell* of eight bytes is the one in the hash table; the others are linked to it.
typedef struct tsl_object {
    uint64_t key;        // address * 2 + 1 of an object; number of the eight bytes * 2 of a cell
    uint32_t last;       // its last touch
    uint32_t last_write; // of a cell: the last write; of an object: the last touch whose role
                         // differs from that of `last`
    uint32_t memory;     // of an object: the first cell of the eight bytes where it begins; of a
                         // cell: the first cell of its eight bytes; of a first cell: the next
                         // first cell of its page, or TSL_NONE
    union {
        uint32_t first_inside; // of a first cell: head of the list of objects that begin there
        uint32_t width;        // of an object: the most bytes it was seen to take
    };
    uint32_t next;         // of an object: the next one in that list; of a cell: the next cell of
                           // its eight bytes
    uint32_t mask : 8;     // of a cell: its bytes; of an object: 0xff
    uint32_t is_first : 1; // is it a first cell?
    uint32_t ways : 2;     // of a cell: enum tsl_way; kept once there was a compare-and-swap
    // Head of a list of tsl_extent, by number; 0 if empty.  Of an object: the further eight bytes
    // that it takes; of a first cell: the objects that begin before and reach into its bytes.
    uint32_t reaches : 21;
} tsl_object;

// Most objects are larger than eight bytes.  An object and the first cell of eight bytes that it
// reaches into are linked, in both directions, once both were touched.
typedef struct tsl_extent {
    uint32_t other; // the first cell, or the object
    uint32_t next;  // number of the next one in the list, or 0
} tsl_extent;

enum { TSL_REACHED_BITS = 4096 };

typedef TSL_VEC(uint32_t) tsl_positions;
typedef TSL_VEC(uint32_t) tsl_step_list;

typedef struct tsl_history {
    TSL_VEC(tsl_step) steps;
    TSL_VEC(tsl_access) accesses;
    TSL_VEC(tsl_touch) touches;
    TSL_VEC(tsl_wake) wakes;
    TSL_VEC(uint32_t) clocks; // each clock is its length, then that many components
    TSL_VEC(tsl_slot) slots;
    TSL_VEC(tsl_positions) by_slot; // the steps of each thread; never shorter than it once was
    TSL_VEC(tsl_object) objects;
    TSL_VEC(tsl_extent) reaches;             // the first one is number 1
    uint64_t reached[TSL_REACHED_BITS / 64]; // hashed set of eight bytes that an object may reach
                                             // into
    TSL_VEC(tsl_dep)
    deps;                     // of the step appended last: for each of its accesses, the latest
                              // step of each other thread that it depends on
    size_t deps_from;         // where those of the current access begin
    uint32_t *dep_of;         // slot -> where in deps that thread may be
    TSL_VEC(uint32_t) opaque; // steps that may touch anything
    TSL_VEC(uint32_t) frees;  // steps that free a block
    uint32_t *index;          // hash table into objects
    size_t index_size;
    tsl_map pages;     // number of a page -> 1 + the first cell that was added to it last
    uint16_t *slot_of; // thread number -> slot + 1
    uint64_t sum;      // of the hashes of all threads' last steps
    // The step at which the run failed, so that no step can follow it; 0 if there is none, because
    // step 0 is never asked about.
    uint32_t failing;
    bool has_rare;    // there was an opaque step, one that frees, or one that failed
    bool has_split;   // a cell was split
    bool has_odd;     // some step conflicts with others without touching a common object
    bool has_unknown; // some step conflicts with everything, even with steps that touch nothing
    // Accesses may race although they can't stand next to each other, so the clocks of sync.h are
    // needed: there was an atomic access or a fence weaker than sequentially consistent, or a
    // compare-and-swap of bytes that are also read by a plain access.
    bool by_clocks;
    bool has_cas;   // there was a compare-and-swap
    bool has_touch; // unknown code was handed memory
    // The last step that read bytes in which an object lives, or that changed an object whose bytes
    // were read (inside.h).  0 if there was none: step 0 does neither.
    uint32_t inside;
    bool coarse;         // an access whose role depends on values in memory counts as a write
    bool looks_at_ends;  // some step looks at whether a thread has ended, or may do so
    bool reads_conflict; // LCT Fig. 2: any two accesses of the same bytes conflict, even two reads
} tsl_history;

void tsl_history_init(tsl_history *h);
void tsl_history_drop(tsl_history *h);

// Appends a step of a run and returns its number.
uint32_t tsl_history_append(tsl_history *h, const tsl_step_view *view);
// Goes back to the first n steps.
void tsl_history_cut(tsl_history *h, size_t n);

// Do the events from `from` on (see tsl_run_decisive_part) touch only what no other thread has
// touched?  Then nothing can be learned from them, and `hash` becomes the hash of the whole run.
bool tsl_history_skip(const tsl_history *h, const tsl_run *run, size_t from, uint64_t *hash);

// The position in the run at which the next step begins.
static inline size_t tsl_history_position(const tsl_history *h) {
    return h->steps.len ? tsl_vec_last(&h->steps).next_event : 0;
}

// Appends all steps of the run that the history does not have yet.
void tsl_history_read(tsl_history *h, const tsl_run *run);

// How many steps of the thread in `slot` happen before step s, or are s?
static inline uint32_t tsl_history_knows(const tsl_history *h, uint32_t s, unsigned slot) {
    const tsl_step *step = &h->steps.data[s];
    if (slot == step->slot)
        return step->index;
    const uint32_t *clock = h->clocks.data + step->clock;
    return slot < clock[0] ? clock[1 + slot] : 0;
}

// Does a happen before b?  The number of a must be less than that of b.
static inline bool tsl_history_before(const tsl_history *h, uint32_t a, uint32_t b) {
    const tsl_step *step = &h->steps.data[a];
    return tsl_history_knows(h, b, step->slot) >= step->index;
}

// A hash of a whole run: equal if and only if the order is the same.
uint64_t tsl_history_hash(const tsl_history *h);
// A hash of a beginning of a run: equal if and only if it is the same part of an order.
uint64_t tsl_history_place(const tsl_history *h);

// The first of these steps that comes after step s, or TSL_NONE.
uint32_t tsl_positions_behind(const tsl_positions *steps, uint32_t s);

// Is there a step later than `after` that conflicts with `op` and does not happen after `after`?
// Step `but` is not looked at, nor are the first gone[slot] steps of each thread.
bool tsl_history_conflict_behind(const tsl_history *h, const tsl_op *op, uint32_t after,
                                 uint32_t but, const uint32_t *gone);

tsl_op tsl_history_op(const tsl_history *h, uint32_t step);
bool tsl_history_conflict(const tsl_history *h, const tsl_op *op, uint32_t step);

static inline const tsl_access *tsl_touch_access(const tsl_history *h, uint32_t t) {
    const tsl_touch *touch = &h->touches.data[t];
    return &h->accesses.data[h->steps.data[touch->step].accesses + touch->access];
}

// The state of an object behind touch t; TSL_NONE means before all touches.
static inline uint32_t tsl_touch_state(const tsl_history *h, uint32_t t) {
    return t == TSL_NONE ? 0 : h->touches.data[t].state;
}

// The last touch of an object before t whose role differs from that of t.  The touches between do
// not conflict with t, unless they are writes.
static inline uint32_t tsl_touch_other(const tsl_history *h, uint32_t t) {
    const tsl_touch *touch = &h->touches.data[t];
    return touch->prev != TSL_NONE && h->touches.data[touch->prev].role == touch->role
               ? touch->prev_write
               : touch->prev;
}

// The EXIT step, if it conflicts with everything because code that runs at the end can see how far
// the other threads came; else TSL_NONE.  Only its own thread takes steps after it.
static inline uint32_t tsl_history_exit(const tsl_history *h) {
    uint32_t s = h->opaque.len ? tsl_vec_last(&h->opaque) : TSL_NONE;
    return s != TSL_NONE && h->steps.data[s].kind == TSL_EV_EXIT ? s : TSL_NONE;
}

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
