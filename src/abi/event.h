// What is known of each kind of event: the columns of events.def as numbers and predicates.
//
// A predicate is one table look-up, or a comparison where the hot path needs one; that the
// comparison says the same as the table is checked when this file is compiled.
#ifndef TSL_ABI_EVENT_H
#define TSL_ABI_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "sabotage.h"

enum tsl_event_kind {
#define TSL_EVENT(name, ...) TSL_EV_##name,
#include "events.def"
#undef TSL_EVENT
    TSL_EV_COUNT
};

// What a SYNC event is about.
enum tsl_sync_object {
#define TSL_SYNC_OBJECT(name, text, type) TSL_SYNC_##name,
#include "objects.def"
#undef TSL_SYNC_OBJECT
    TSL_SYNC_OBJECTS
};

enum tsl_event_class {
    TSL_CLASS_NOTE,
    TSL_CLASS_ACCESS,
    TSL_CLASS_ATOMIC,
    TSL_CLASS_TOUCH,
    TSL_CLASS_SYNC,
    TSL_CLASS_THREAD,
    TSL_CLASS_LOCAL
};

// How the role of a kind follows from its result.
enum tsl_role_rule {
    TSL_RULE_NONE,    // touches nothing
    TSL_RULE_READ,    // this one and the next two: always that role
    TSL_RULE_ADD,     //
    TSL_RULE_WRITE,   //
    TSL_RULE_STORED,  // res != 0: write, else read
    TSL_RULE_LOW_BIT, // res & 1: write, else read
    TSL_RULE_ERRNO,   // res is an errno: write if it succeeded, else read
    TSL_RULE_ADD_IF,  // res is an errno: add if it succeeded, else read
    TSL_RULE_GAVE_UP, // res != 0: write, else nothing
    TSL_RULE_ROLE,    // res is the role
};

// Objects without an address of their own; SELF: the step's own.
enum tsl_hidden_object {
    TSL_OBJECT_SELF,
    TSL_OBJECT_EXIT,
    TSL_OBJECT_IO,
    TSL_OBJECT_RANDOM,
    TSL_OBJECT_ALL,              // all memory, and what lives in it
    TSL_OBJECT_REQUEST = 0x2000, // + the thread's number: was it asked to cancel?
    TSL_OBJECT_SIGNAL = 0x4000   // + the thread's number: was a signal sent to it?
};

enum tsl_event_result { TSL_RESULT_FIXED, TSL_RESULT_MARK, TSL_RESULT_VARIES, TSL_RESULT_VALUE };
enum tsl_event_blocks { TSL_BLOCKS_NEVER, TSL_BLOCKS_STATE, TSL_BLOCKS_RUNTIME };
enum tsl_event_when { TSL_WHEN_ANY, TSL_WHEN_WOKEN };
enum tsl_event_enters { TSL_ENTERS_USER, TSL_ENTERS_KERNEL };

// States of an object, as model/state.h counts them.
enum tsl_event_needs {
    TSL_NEEDS_NOTHING,
    TSL_NEEDS_FREE,      // nobody holds the lock
    TSL_NEEDS_OWN,       // nobody holds the lock, or the thread itself does
    TSL_NEEDS_UNWRITTEN, // no writer holds the lock
    TSL_NEEDS_SOME,      // the number is not 0: of a semaphore, or of threads that wait
    TSL_NEEDS_IDLE,      // the once routine is not running; the step runs it if it is new
    TSL_NEEDS_ENDED,     // the thread has ended
    TSL_NEEDS_READABLE,  // there is something in the channel
    TSL_NEEDS_WRITABLE   // there is room in the channel
};

enum tsl_event_changes {
    TSL_CHANGES_KEEP,
    TSL_CHANGES_ZERO,      // this one and the next two: to that number
    TSL_CHANGES_ONE,       //
    TSL_CHANGES_TWO,       //
    TSL_CHANGES_RESULT,    // to the result of the step
    TSL_CHANGES_MORE,      // one more
    TSL_CHANGES_LESS,      // one less
    TSL_CHANGES_WAKE,      // less by the result of the step
    TSL_CHANGES_TAKE,      // one less, unless the step was cancelled
    TSL_CHANGES_GONE,      // the semaphore is destroyed
    TSL_CHANGES_LOCK,      // the thread holds the lock once more
    TSL_CHANGES_UNLOCK,    // and once less
    TSL_CHANGES_WRITER,    // a writer holds the lock
    TSL_CHANGES_RW_UNLOCK, // the writer, or one reader, does no longer
    TSL_CHANGES_ARRIVE,    // one thread more is at the barrier
    TSL_CHANGES_ROUND,     // another round of the barrier begins
    TSL_CHANGES_SENT,      // the signal flag is set, unless the thread blocks the signal
    TSL_CHANGES_TAKEN,     // the signal flag is cleared, if a handler runs
    TSL_CHANGES_CHANNEL    // to what the result tells of the channel
};

// What a successful step makes of the thread: a holder of a lock, alone or beside others, or not.
enum tsl_event_orders {
    TSL_ORDERS_NOTHING,
    TSL_ORDERS_ACQUIRE,
    TSL_ORDERS_SHARE,
    TSL_ORDERS_RELEASE
};

// The columns that are asked for most have a byte each.
typedef struct tsl_event_row {
    uint8_t class_, role, object, blocks;
    uint8_t type : 4, result : 4;
    uint8_t when : 1, enters : 1, orders : 2, needs : 4;
    uint8_t changes, twin;
} tsl_event_row;

_Static_assert(sizeof(tsl_event_row) == 8, "a row is found by a shift");

// Kinds come out of shared memory and have eight bits: what is no kind touches nothing.
static inline const tsl_event_row *tsl_event_row_of(unsigned kind) {
    static const tsl_event_row rows[256] = {
#define TSL_EVENT(name, text, class, ro, ob, ty, re, bl, wh, en, ne, ch, or, tw, awaited, doc)     \
    {.class_ = TSL_CLASS_##class,                                                                  \
     .role = TSL_RULE_##ro,                                                                        \
     .object = TSL_OBJECT_##ob,                                                                    \
     .blocks = TSL_BLOCKS_##bl,                                                                    \
     .type = TSL_SYNC_##ty,                                                                        \
     .result = TSL_RESULT_##re,                                                                    \
     .when = TSL_WHEN_##wh,                                                                        \
     .enters = TSL_ENTERS_##en,                                                                    \
     .orders = TSL_ORDERS_## or                                                                    \
     , .needs = TSL_NEEDS_##ne, .changes = TSL_CHANGES_##ch, .twin = TSL_EV_##tw},
#include "events.def"
#undef TSL_EVENT
    };
    static const tsl_event_row wrong = {.class_ = TSL_CLASS_SYNC, .role = TSL_RULE_READ};
    return TSL_BROKEN(COLUMN) && kind == TSL_EV_SEM_POST ? &wrong : &rows[kind];
}

// ---------------------------------------------------------------- classes, by comparison

static inline bool tsl_is_note(unsigned kind) { return kind < TSL_EV_READ; }
static inline bool tsl_is_plain(unsigned kind) {
    return kind >= TSL_EV_READ && kind <= TSL_EV_FREE;
}
// A load or a store, not a free.
static inline bool tsl_is_plain_access(unsigned kind) {
    return kind >= TSL_EV_READ && kind < TSL_EV_FREE;
}
// A load or a store that is neither atomic nor volatile.
static inline bool tsl_is_ordinary_access(unsigned kind) {
    return kind == TSL_EV_READ || kind == TSL_EV_WRITE;
}
static inline bool tsl_is_atomic(unsigned kind) {
    return kind >= TSL_EV_AREAD && kind <= TSL_EV_CAS;
}
static inline bool tsl_is_memory(unsigned kind) {
    return kind >= TSL_EV_READ && kind <= TSL_EV_MAP;
}

#define TSL_IN(kind, from, to) ((kind) >= TSL_EV_##from && (kind) <= TSL_EV_##to)
#define TSL_EVENT(name, text, class, ro, ob, ty, re, bl, wh, en, ne, ch, or, tw, awaited, doc)     \
    _Static_assert((TSL_EV_##name < TSL_EV_READ) == (TSL_CLASS_##class == TSL_CLASS_NOTE),         \
                   "notes come first: " #name);                                                    \
    _Static_assert(TSL_IN(TSL_EV_##name, READ, FREE) == (TSL_CLASS_##class == TSL_CLASS_ACCESS),   \
                   "then plain accesses, the last of them FREE: " #name);                          \
    _Static_assert(TSL_IN(TSL_EV_##name, AREAD, CAS) == (TSL_CLASS_##class == TSL_CLASS_ATOMIC),   \
                   "then atomic ones: " #name);                                                    \
    _Static_assert(TSL_IN(TSL_EV_##name, TOUCH, MAP) == (TSL_CLASS_##class == TSL_CLASS_TOUCH),    \
                   "and what may be accessed: " #name);                                            \
    _Static_assert(TSL_CLASS_##class != TSL_CLASS_NOTE || TSL_RULE_##ro == TSL_RULE_NONE,          \
                   "a note touches nothing: " #name);                                              \
    _Static_assert((TSL_IN(TSL_EV_##name, READ, CAS) && TSL_RULE_##ro == TSL_RULE_READ) ==         \
                       (TSL_EV_##name == TSL_EV_READ || TSL_EV_##name == TSL_EV_VREAD ||           \
                        TSL_EV_##name == TSL_EV_AREAD),                                            \
                   "tsl_is_load knows all loads: " #name);                                         \
    _Static_assert(TSL_BLOCKS_##bl == TSL_BLOCKS_NEVER || sizeof(awaited) > 1,                     \
                   "a report says what a blocked thread waits for: " #name);                       \
    _Static_assert(TSL_EV_##tw == TSL_EV_NONE || TSL_BLOCKS_##bl == TSL_BLOCKS_NEVER ||            \
                       TSL_NEEDS_##ne != TSL_NEEDS_NOTHING,                                        \
                   "a step with a twin waits for a state of its object: " #name);
#include "events.def"
#undef TSL_EVENT
#undef TSL_IN
_Static_assert(TSL_EV_AREAD == TSL_EV_FREE + 1, "nothing stands between plain and atomic accesses");
_Static_assert(TSL_EV_TOUCH == TSL_EV_CAS + 1, "nor between those and what may be accessed");

// ---------------------------------------------------------------- the other columns

static inline enum tsl_role_rule tsl_role_rule(unsigned kind) {
    return (enum tsl_role_rule)tsl_event_row_of(kind)->role;
}
static inline bool tsl_never_blocks(unsigned kind) {
    return tsl_event_row_of(kind)->blocks == TSL_BLOCKS_NEVER;
}
// Blocked by the state of its object.
static inline bool tsl_state_blocks(unsigned kind) {
    return tsl_event_row_of(kind)->blocks == TSL_BLOCKS_STATE;
}
// Can be tried wherever its thread stands before it, not only behind a step of another thread.
static inline bool tsl_can_come_earlier(unsigned kind) {
    return tsl_event_row_of(kind)->when == TSL_WHEN_ANY;
}
// Its role depends on what others did before it.
static inline bool tsl_op_varies(unsigned kind) {
    return tsl_event_row_of(kind)->result >= TSL_RESULT_VARIES;
}
// It depends on values in memory, and can be taken for a write (tsl_history.coarse).
static inline bool tsl_op_by_value(unsigned kind) {
    return tsl_event_row_of(kind)->result == TSL_RESULT_VALUE;
}
// Its result is the mark of the value that it overwrote.
static inline bool tsl_result_is_mark(unsigned kind) {
    return tsl_event_row_of(kind)->result == TSL_RESULT_MARK;
}
// An access that only loads.
static inline bool tsl_is_load(unsigned kind) {
    return kind == TSL_EV_READ || kind == TSL_EV_VREAD || kind == TSL_EV_AREAD;
}
static inline enum tsl_event_orders tsl_event_orders(unsigned kind) {
    return (enum tsl_event_orders)tsl_event_row_of(kind)->orders;
}
// If it succeeds, its thread holds a lock.
static inline bool tsl_is_lock(unsigned kind) {
    enum tsl_event_orders orders = tsl_event_orders(kind);
    return orders == TSL_ORDERS_ACQUIRE || orders == TSL_ORDERS_SHARE;
}
// Its thread holds a lock no longer.
static inline bool tsl_is_unlock(unsigned kind) {
    return tsl_event_orders(kind) == TSL_ORDERS_RELEASE;
}
// The same call without waiting, if the step may wait; NONE if there is none.
static inline unsigned tsl_trying_kind(unsigned kind) {
    return tsl_never_blocks(kind) ? (unsigned)TSL_EV_NONE : tsl_event_row_of(kind)->twin;
}
// The same call with waiting, if there is one; else the kind itself.
static inline unsigned tsl_waiting_kind(unsigned kind) {
    unsigned twin = tsl_event_row_of(kind)->twin;
    return twin && tsl_never_blocks(kind) ? twin : kind;
}

#endif
