// When do two steps of different threads depend on each other?
//
// This is the only definition.  The tool uses it, and so does the runtime, which must know when a
// sleeping thread wakes.  A step has one access or more: that of its event, and one for each ALSO
// note behind it.  Two steps conflict when any two of their accesses do.
//
// An access is to bytes of memory or to an object (a lock, a condition, a thread), in a role:
//
//     TSL_ROLE_READ    looks at it                               commutes with READ
//     TSL_ROLE_ADD     changes it, but in any order with other   commutes with ADD
//                      ADDs (a read lock, a post)
//     TSL_ROLE_WRITE   any other change                          commutes with nothing
//
// The role may depend on the result, because what failed changed nothing.  So the relation is about
// executed events; a step that has not run yet may turn out to have another role.
//
// The roles are a column of events.def.  Why they are as they are:
//
//     plain, volatile, atomic  reads commute; bytes [addr, addr+size) are exact.  A failed compare-
//                              and-swap is a read; if inputs decide whether it fails, an ALSO note
//                              makes it a write, too
//     free                     writes the whole block, so it conflicts with every access to it
//     mutex, spin lock         what succeeds is a write; what fails (trylock, a timed lock that
//                              gave up, EDEADLK, EPERM) is a read
//     condition                a wait, giving up, and a signal that wakes a thread are writes; a
//                              signal that wakes nobody is a read.  A wait also unlocks the mutex
//     rwlock                   read locks are adds, what fails is a read, the rest are writes
//     semaphore                posts are adds, waits are writes, looking and failing are reads
//     barrier                  arrivals of one round commute, of two rounds they do not; leaving is
//                              ordered after its own round only.  Being the serial thread is one
//                              more access (ALSO once): the first to leave writes, others read
//     once                     running the routine, and its end, are writes; finding that it is
//                              done is a read
//     thread                   create and join are writes, end and detach are adds, a tryjoin that
//                              came too early is a read; start follows create and conflicts with
//                              nothing
//     cancel                   writes the request flag of its thread.  A cancellation point reads
//                              it, and so does any step while cancellation is asynchronous (an
//                              ALSO testcancel)
//     kill                     writes the signal flag of its thread.  While handlers may run in
//                              that thread, the thread reads the flag before each of its steps
//                              (testsignal), and with each step that may wait (an ALSO testsignal)
//     futex                    queueing and waking write the queue; a wait also reads the word
//     exit                     conflicts with exit; if handlers run then, with everything
//     io, random               one hidden state each: any two steps conflict
//     io on a channel          conflicts with every other use of that channel, and with io
//     call                     does what its ALSO notes say, to memory and to hidden state of libc
//     touch, map               write these bytes, and are never a data race
//     yield, sleep, fence      touch nothing
//     asm                      touches everything: inline assembly of unknown accesses
//     any object               lives in memory: overwriting or freeing any byte of it conflicts
#ifndef TSL_ABI_CONFLICT_H
#define TSL_ABI_CONFLICT_H

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "layout.h"
#include "wire.h"

// ALL is all memory and all objects in it.
enum tsl_space { TSL_SPACE_NONE, TSL_SPACE_MEMORY, TSL_SPACE_OBJECT, TSL_SPACE_ALL };
enum tsl_role { TSL_ROLE_READ, TSL_ROLE_ADD, TSL_ROLE_WRITE };

// What a step found in the request flag, or the signal flag, of its thread.
enum tsl_request {
    TSL_REQUEST_NONE,
    TSL_REQUEST_SEEN, // the step could be cancelled (or had to be)
    TSL_REQUEST_ONLY, // without the request the step could not have run
    TSL_REQUEST_TRIED // as SEEN, but without the request it would not have waited either
};

// In `res` of a look at the signal flag: the handler runs now, and the flag is clear again.
#define TSL_SIGNAL_TAKEN 4u
// In `res` of KILL, beside the thread's number: the signal is blocked, so the flag is not set.
#define TSL_KILL_PENDS 0x8000u

// While there is a request, a blocking call becomes one that never waits: it returns at once if it
// can, or is cancelled.  This is the result of a call that could have returned and is cancelled: it
// takes nothing, but counts as a change.
#define TSL_RES_CANCELLED EOWNERDEAD

// A step with more accesses than these counts as a write of everything.
enum { TSL_OP_ACCESSES = 6 };

// One access of a step.  Sleep sets and wakeup trees hold many, so it has only 16 bytes.
typedef struct tsl_access {
    uint64_t addr;
    uint32_t size; // of the memory or the object (objects.def); a heap block has less than 4 GiB
    uint16_t res;
    uint8_t kind;
    uint8_t space : 4; // enum tsl_space
    uint8_t role : 4;  // enum tsl_role
} tsl_access;

_Static_assert(sizeof(tsl_access) == 16, "an access is small");

static inline uint64_t tsl_sync_size(unsigned object) {
    static const uint8_t sizes[16] = {
#define TSL_SYNC_OBJECT(name, text, type) sizeof(type),
#include "objects.def"
#undef TSL_SYNC_OBJECT
    };
    return sizes[object & 15];
}

// The mark of a value: fifteen bits, never 0; different marks mean different values.  `res` of a
// write is the mark of the value it overwrote, `res >> 1` of a compare-and-swap that of the value
// it expected; 0 if the value is not known or depends on inputs.  So the tool can tell whether a
// compare-and-swap would have succeeded before a write.
static inline uint16_t tsl_value_mark(uint64_t value) {
    uint64_t mark = (value ^ value >> 15 ^ value >> 30 ^ value >> 45 ^ value >> 60) & 0x7fff;
    return (uint16_t)(mark ? mark : 0x7fff);
}

// The mark of the value that is about to be overwritten.  0 on stacks: what lies there before the
// first write may be the runtime's own, and differ from run to run.
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
// In `res` of a read-modify-write, beside the mark: it wrote the value that was there.
#define TSL_RMW_SAME 0x8000u

// A range of more bytes conflicts with everything, and data races with it are not looked for.
#define TSL_MOST_RANGE (1u << 24)

// How many bytes a step of this kind touches.  `code` is the low four bits of its event's `arg`,
// `length` that of its LENGTH note, if there is one.
static inline uint64_t tsl_size_of(unsigned kind, unsigned code, uint64_t length) {
    if (!tsl_is_memory(kind))
        return tsl_sync_size(code);
    return code == TSL_ARG_RANGE ? length : 1ull << code;
}

// The same for an event or an ALSO note.
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

// Returns false if the step touches nothing.
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
        a->addr = row->object; // hidden objects are known by small addresses
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

// A thread looks at its own request flag, or at its own signal flag.
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

// Do the two accesses conflict, if `second` runs right behind `first`?
static inline bool tsl_access_conflict(const tsl_access *first, const tsl_access *second) {
    if (first->space == second->space) {
        if (first->space == TSL_SPACE_MEMORY)
            return (first->role == TSL_ROLE_WRITE || second->role == TSL_ROLE_WRITE) &&
                   tsl_overlap(first, second);
        if (first->space != TSL_SPACE_OBJECT)
            return first->space == TSL_SPACE_ALL;
        if (first->addr != second->addr)
            return false;
        // Only an arrival that completes its round conflicts with one of the next round.
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
