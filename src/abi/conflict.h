// When do two steps of different threads depend on each other?
//
// One definition for the tool and for the runtime (which must know when a sleeping
// thread wakes).  A step is one or more accesses: its event, and an ALSO note for each
// further one.  Two steps conflict when any two of their accesses do.
//
// Every access is to memory bytes or to an object (a lock, a condition, a thread), in
// one of three roles:
//
//     TSL_ROLE_READ    looks at it                 commutes with READ
//     TSL_ROLE_ADD     changes it, but several of  commutes with ADD
//                      these commute (rdlock, post)
//     TSL_ROLE_WRITE   any other change            commutes with nothing
//
// The role may depend on the result: what failed changed nothing.  So the relation is
// about executed events; a step that has not run yet may turn out to be either.
//
// The roles by kind are a column of events.def.  Why they are so:
//
//     plain, volatile, atomic   reads commute; bytes [addr, addr+size) are exact; a failed
//                               compare-and-swap is a read, but if inputs decide whether it
//                               fails it is also a write (ALSO)
//     free                      writes the whole block; so it conflicts with every access
//     mutex, spin lock          all that succeed are writes; what fails (trylock, a timed
//                               lock that gave up, EDEADLK, EPERM) is a read
//     condition                 wait, giving up, and a signal that wakes somebody are writes;
//                               a signal into the void is a read.  A wait also unlocks
//     rwlock                    read locks are adds, the rest writes, failures reads
//     semaphore                 posts are adds, waits writes, looking and failing reads
//     barrier                   arrivals of one round commute, of two rounds do not; leaving
//                               is ordered after its round only.  Who is serial is one more
//                               access (ALSO once): the first to leave writes, the others read
//     once                      the one that runs the routine, and its end, are writes;
//                               finding it done is a read
//     thread                    create and join are writes, end and detach adds, a tryjoin
//                               that came too early is a read; start follows create, and
//                               conflicts with nothing
//     cancel                    writes the request flag of its thread.  A cancellation point, and any
//                               step while cancellation is asynchronous, reads it (an ALSO testcancel);
//                               cancelling after the request was seen is the thread's own affair
//     kill                      writes the signal flag of its thread.  While a handler may run in the thread it looks
//                               at that flag before each of its steps (testsignal), and with each step that may
//                               wait (an ALSO testsignal)
//     futex                     queueing and waking are writes of the queue; a wait also
//                               reads the word
//     exit                      conflicts with exit; if handlers run then, with everything
//     io, random                one hidden state each: every two conflict
//     io on a channel           with every other use of that channel, and with io
//     call                      what its ALSO notes say: memory, hidden state of libc in the role that `res` says
//     touch, map                a write of these bytes that is no data race
//     yield, sleep, fence       nothing
//     asm                       everything: inline assembly of which nobody knows what it touches
//     any object                lives in memory: overwriting or freeing any byte of it conflicts
#ifndef TSL_ABI_CONFLICT_H
#define TSL_ABI_CONFLICT_H

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#include "layout.h"
#include "wire.h"

// ALL is all memory and what lives in it: what inline assembly may touch.
enum tsl_space { TSL_SPACE_NONE, TSL_SPACE_MEMORY, TSL_SPACE_OBJECT, TSL_SPACE_ALL };
enum tsl_role { TSL_ROLE_READ, TSL_ROLE_ADD, TSL_ROLE_WRITE };

// What a step found in the request flag of its thread.
enum tsl_request {
    TSL_REQUEST_NONE,
    TSL_REQUEST_SEEN, // cancelling is one of the ways the step could go (or the only one, by rule)
    TSL_REQUEST_ONLY, // without the request the step could not have run
    TSL_REQUEST_TRIED // as SEEN, and the step would not have waited in any case
};

// Of a look at the signal flag: the handler runs now, and the flag is clear again.
#define TSL_SIGNAL_TAKEN 4u
// In `res` of KILL beside the number of the thread: the signal is blocked, so the flag stays as it is.
#define TSL_KILL_PENDS 0x8000u

// While a request is seen, a blocking call becomes one that never waits: it returns at once if it
// can, or is cancelled.  Where it could have returned and is cancelled all the same, its result is this
// one: it counts as a change, and takes nothing.
#define TSL_RES_CANCELLED EOWNERDEAD

// A step with more accesses than these counts as one that writes everything.
enum { TSL_OP_ACCESSES = 6 };

// One access of a step.  Sleep sets and wakeup trees hold many of them, so it has only 16 bytes.
typedef struct tsl_access {
    uint64_t addr;
    uint32_t
        size; // of memory, or of the object (objects.def); no block of the heap has as much as 4 GiB
    uint16_t res;
    uint8_t kind;
    uint8_t space : 4; // enum tsl_space
    uint8_t role : 4;  // enum tsl_role
} tsl_access;

_Static_assert(sizeof(tsl_access) == 16, "an access is small");

// What a SYNC event is about.
enum tsl_sync_object {
#define TSL_SYNC_OBJECT(name, text, type) TSL_SYNC_##name,
#include "objects.def"
#undef TSL_SYNC_OBJECT
    TSL_SYNC_OBJECTS
};

static inline uint64_t tsl_sync_size(unsigned object) {
    static const uint8_t sizes[16] = {
#define TSL_SYNC_OBJECT(name, text, type) sizeof(type),
#include "objects.def"
#undef TSL_SYNC_OBJECT
    };
    return sizes[object & 15];
}

// What a value was, in fifteen bits, never 0.  Different marks mean different values.  A
// write's res is the mark of what it overwrote, a compare-and-swap's (res >> 1) of what it
// expected, 0 if that is not known or depends on inputs: so a tool can tell whether a
// compare-and-swap would have succeeded before the write.
static inline uint16_t tsl_value_mark(uint64_t value) {
    uint64_t mark = (value ^ value >> 15 ^ value >> 30 ^ value >> 45 ^ value >> 60) & 0x7fff;
    return (uint16_t)(mark ? mark : 0x7fff);
}

// Of the value that is about to be overwritten.  Not on stacks: what lies there before the first
// write may be the runtime's own, and differ from run to run.
static inline __attribute__((always_inline)) uint16_t tsl_mark_at(const void *p, uint64_t size) {
    if ((uintptr_t)p - TSL_STACK_ADDR < TSL_SNAPSHOT_ADDR - TSL_STACK_ADDR)
        return 0;
    switch (size) {
    case 1:
        return tsl_value_mark(*(const uint8_t *)p);
    case 2:
        return tsl_value_mark(*(const uint16_t *)p);
    case 4:
        return tsl_value_mark(*(const uint32_t *)p);
    case 8:
        return tsl_value_mark(*(const uint64_t *)p);
    default:
        return 0;
    }
}
// Beside the mark of what a read-modify-write overwrote: it wrote the same.
#define TSL_RMW_SAME 0x8000u

// A range of more bytes than this conflicts with everything, and no data race with it is looked for.
#define TSL_MOST_RANGE (1u << 24)

// Size of what a step of this kind touches, by the low bits of its event's `arg`; `length` is the
// LENGTH note's, if there is one.
static inline uint64_t tsl_size_of(unsigned kind, unsigned code, uint64_t length) {
    if (!tsl_is_memory(kind))
        return tsl_sync_size(code);
    return code == TSL_ARG_RANGE ? length : 1ull << code;
}

// Of an event, or of an ALSO note.
static inline uint64_t tsl_access_size(const tsl_event *event, uint64_t length) {
    unsigned kind = event->kind == TSL_EV_ALSO ? event->res & 255u : event->kind;
    return tsl_size_of(kind, event->arg & 15u, length);
}

static inline enum tsl_role tsl_role_by_result(enum tsl_role_rule rule, unsigned res) {
    bool succeeded = res == 0 || res == EOWNERDEAD;
    switch (rule) {
    case TSL_RULE_ERRNO:
        return succeeded ? TSL_ROLE_WRITE : TSL_ROLE_READ;
    case TSL_RULE_ADD_IF:
        return succeeded ? TSL_ROLE_ADD : TSL_ROLE_READ;
    case TSL_RULE_LOW_BIT:
        return res & 1 ? TSL_ROLE_WRITE : TSL_ROLE_READ;
    case TSL_RULE_ROLE:
        return res == TSL_ROLE_READ || res == TSL_ROLE_ADD ? (enum tsl_role)res : TSL_ROLE_WRITE;
    default: // STORED, GAVE_UP
        return res ? TSL_ROLE_WRITE : TSL_ROLE_READ;
    }
}

// False: it touches nothing.
static inline bool tsl_access_fill(tsl_access *a, unsigned kind, unsigned res, uint64_t addr,
                                   uint64_t size) {
    const tsl_event_row *row = tsl_event_row_of(kind);
    unsigned rule = row->role;
    bool memory = tsl_is_memory(kind);
    a->addr = addr;
    a->size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    a->kind = (uint8_t)kind;
    a->space = memory ? TSL_SPACE_MEMORY : TSL_SPACE_OBJECT;
    if (row->object == TSL_OBJECT_ALL) {
        a->addr = 0;
        a->size = UINT32_MAX;
        a->space = TSL_SPACE_ALL;
    } else if (row->object)
        a->addr = row->object; // objects without an address have a small one
    a->role = (uint8_t)(rule <= TSL_RULE_WRITE ? rule - TSL_RULE_READ + TSL_ROLE_READ
                                               : tsl_role_by_result((enum tsl_role_rule)rule, res));
    a->res = (uint16_t)res;
    return rule != TSL_RULE_NONE && (rule != TSL_RULE_GAVE_UP || res);
}

static inline tsl_access tsl_access_make(unsigned kind, unsigned res, uint64_t addr,
                                         uint64_t size) {
    tsl_access a;
    if (!tsl_access_fill(&a, kind, res, addr, size))
        a.space = TSL_SPACE_NONE;
    return a;
}

// The thread's own looks at its request flag and at its signal flag.
static inline tsl_access tsl_request_access(unsigned thread, enum tsl_request seen) {
    return tsl_access_make(TSL_EV_TESTCANCEL, seen, TSL_OBJECT_REQUEST + thread, 1);
}

static inline tsl_access tsl_signal_access(unsigned thread, enum tsl_request seen) {
    return tsl_access_make(TSL_EV_TESTSIGNAL, seen, TSL_OBJECT_SIGNAL + thread, 1);
}

static inline bool tsl_is_look(unsigned kind) {
    return kind == TSL_EV_TESTCANCEL || kind == TSL_EV_TESTSIGNAL;
}

static inline bool tsl_roles_conflict(unsigned a, unsigned b) {
    return a == TSL_ROLE_WRITE || b == TSL_ROLE_WRITE || a != b;
}

static inline bool tsl_access_touches(const tsl_access *a, uint64_t addr, uint64_t size) {
    return a->space == TSL_SPACE_ALL || (a->addr < addr + size && addr < a->addr + a->size);
}

static inline bool tsl_overlap(const tsl_access *a, const tsl_access *b) {
    return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

// `first` could run right before `second`, both in the same state.
static inline bool tsl_access_conflict(const tsl_access *first, const tsl_access *second) {
    if (first->space == second->space) {
        if (first->space == TSL_SPACE_MEMORY)
            return (first->role == TSL_ROLE_WRITE || second->role == TSL_ROLE_WRITE) &&
                   tsl_overlap(first, second);
        if (first->space != TSL_SPACE_OBJECT)
            return first->space == TSL_SPACE_ALL;
        if (first->addr != second->addr)
            return false;
        // The arrival that fills a round leaves none for the next one.
        if (first->kind == TSL_EV_BARRIER_ARRIVE && second->kind == TSL_EV_BARRIER_ARRIVE)
            return first->res == 0;
        return tsl_roles_conflict(first->role, second->role);
    }
    if (first->space == TSL_SPACE_NONE || second->space == TSL_SPACE_NONE)
        return false;
    if (first->space == TSL_SPACE_ALL || second->space == TSL_SPACE_ALL)
        return true; // as a write
    const tsl_access *memory = first->space == TSL_SPACE_MEMORY ? first : second;
    const tsl_access *object = first->space == TSL_SPACE_MEMORY ? second : first;
    return memory->role == TSL_ROLE_WRITE && tsl_overlap(memory, object);
}

#endif
