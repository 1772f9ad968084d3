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
#define TSL_EVENT(name, text, class_, role, object, blocks, when, result, doc) TSL_EV_##name,
#include "events.def"
#undef TSL_EVENT
    TSL_EV_COUNT
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

enum tsl_event_blocks { TSL_BLOCKS_NEVER, TSL_BLOCKS_STATE, TSL_BLOCKS_RUNTIME };
enum tsl_event_when { TSL_WHEN_ANY, TSL_WHEN_WOKEN };
enum tsl_event_result { TSL_RESULT_FIXED, TSL_RESULT_VARIES, TSL_RESULT_VALUE };

typedef struct tsl_event_row {
    uint8_t class_, role, object, blocks, when, result;
} tsl_event_row;

// Kinds come out of shared memory and have eight bits: what is no kind touches nothing.
static inline const tsl_event_row *tsl_event_row_of(unsigned kind) {
    static const tsl_event_row rows[256] = {
#define TSL_EVENT(name, text, class_, role, object, blocks, when, result, doc)                     \
    {TSL_CLASS_##class_,  TSL_RULE_##role, TSL_OBJECT_##object,                                    \
     TSL_BLOCKS_##blocks, TSL_WHEN_##when, TSL_RESULT_##result},
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
#define TSL_EVENT(name, text, class_, role, object, blocks, when, result, doc)                     \
    _Static_assert((TSL_EV_##name < TSL_EV_READ) == (TSL_CLASS_##class_ == TSL_CLASS_NOTE),        \
                   "notes come first: " #name);                                                    \
    _Static_assert(TSL_IN(TSL_EV_##name, READ, FREE) == (TSL_CLASS_##class_ == TSL_CLASS_ACCESS),  \
                   "then plain accesses, the last of them FREE: " #name);                          \
    _Static_assert(TSL_IN(TSL_EV_##name, AREAD, CAS) == (TSL_CLASS_##class_ == TSL_CLASS_ATOMIC),  \
                   "then atomic ones: " #name);                                                    \
    _Static_assert(TSL_IN(TSL_EV_##name, TOUCH, MAP) == (TSL_CLASS_##class_ == TSL_CLASS_TOUCH),   \
                   "and what may be accessed: " #name);                                            \
    _Static_assert(TSL_CLASS_##class_ != TSL_CLASS_NOTE || TSL_RULE_##role == TSL_RULE_NONE,       \
                   "a note touches nothing: " #name);
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
    return tsl_event_row_of(kind)->result != TSL_RESULT_FIXED;
}
// It depends on values in memory, and can be taken for a write (tsl_history.coarse).
static inline bool tsl_op_by_value(unsigned kind) {
    return tsl_event_row_of(kind)->result == TSL_RESULT_VALUE;
}

#endif
