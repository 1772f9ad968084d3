// How synchronisation objects lie in the program's memory.
//
// The state of an object is kept in the object itself, in place of libc's, so that it is found
// without a look-up and restored with the rest of memory.  Static initialisers make it all zero.
// A destroyed object is marked, so that uses of it are found.
#ifndef TSLRT_SYNC_OBJECTS_H
#define TSLRT_SYNC_OBJECTS_H

#include "../state.h"

#define API __attribute__((visibility("default"), weak)) // a program may define its own
// libc's own function of that name; needs <dlfcn.h>.
#define TSLRT_REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

#define TSLRT_DESTROYED 0x7ead
#define TSLRT_ALIVE 0x11fe // set by *_init; static initialisers leave 0

// In the list of locks that a thread holds, the low bits of the address tell the kind of lock.
#define TSLRT_HELD_RW(lock) ((void *)((uintptr_t)(lock) | 1))
#define TSLRT_HELD_SPIN(lock) ((void *)((uintptr_t)(lock) | 2))
static inline bool tslrt_held_is_mutex(const void *held) { return ((uintptr_t)held & 3) == 0; }

// Objects are checked as accesses are (object.c).  `row` is of enum tsl_sync_object.
void tslrt_also_writes(const void *p, unsigned size_code); // the step stores to the caller's memory
void tslrt_access_check_outside(const void *p, uint64_t size, uint32_t site, unsigned kind);
void tslrt_object_check_outside(unsigned kind, const void *object, unsigned row, uint32_t site);
bool tslrt_object_lives_outside(const void *object, unsigned row);

extern char __executable_start[] __attribute__((weak, visibility("hidden")));
extern char _end[] __attribute__((weak, visibility("hidden")));

// The program's own static memory is always mapped, and most objects are in it.
static inline bool tslrt_in_image(uintptr_t a) {
    return a >= (uintptr_t)__executable_start && a < (uintptr_t)_end;
}

static inline bool tslrt_in_stack(uintptr_t a) {
    return a - TSL_STACK_ADDR < TSL_SNAPSHOT_ADDR - TSL_STACK_ADDR;
}

// Checks memory that a function is given.
static inline void tslrt_access_check(const void *p, uint64_t size, uint32_t site, unsigned kind) {
    if (!tslrt_in_image((uintptr_t)p) && !tslrt_in_stack((uintptr_t)p))
        tslrt_access_check_outside(p, size, site, kind);
}

static inline bool tslrt_object_lives(const void *object, unsigned row) {
    return tslrt_in_image((uintptr_t)object) || tslrt_object_lives_outside(object, row);
}

static inline void tslrt_object_check(unsigned kind, const void *object, unsigned row,
                                      uint32_t site) {
    if (!tslrt_in_image((uintptr_t)object))
        tslrt_object_check_outside(kind, object, row, site);
}

// tslrt_op, and a check of the object.
static inline void tslrt_op_on(unsigned kind, const void *object, unsigned row) {
    tslrt_op_sized(kind, object, row);
    tslrt_object_check(kind, object, row, SELF->pend.site);
}

// The type of object whose state says whether a step of that kind is enabled; else NONE.
static inline unsigned tslrt_object_of(unsigned kind) {
    const tsl_event_row *row = tsl_event_row_of(kind);
    return row->needs == TSL_NEEDS_NOTHING ? TSL_SYNC_NONE : row->type;
}

// Ends the run unless the state is TSLRT_ALIVE.  `use` and `of` say what is done to what.
void tslrt_check_state(const void *object, uint32_t state, const char *use, const char *of);

// A function reads or writes memory of its caller, such as attributes: an access at the call.
void tslrt_reads(const void *p, uint64_t size);
void tslrt_reads_first(const void *p, uint64_t size); // if not NULL; the call goes on at its site
void tslrt_writes(void *p, uint64_t size);

int tslrt_mutex_init(pthread_mutex_t *mutex, tslrt_mutexattr with);
int tslrt_mutex_destroy(pthread_mutex_t *mutex, bool may_hold);
void tslrt_mutex_inherited(pthread_mutex_t *mutex);
void tslrt_rwlock_inherited(void *lock);
void tslrt_locks_inherited(void); // a child process begins

// Tells a thread from all others, including those of other processes that may share a lock.
static inline int tslrt_name_of(const tslrt_fiber *fiber) {
    return (int)(RUN->process.number << 16 | (fiber->id + 1u));
}

// Takes a lock that was free a moment ago.  If another process was faster, waits for its release.
static inline void tslrt_claim(volatile int *owner) {
    int name = tslrt_name_of(SELF), expected = 0;
    if (!RUN->process.had_children && !RUN->process.number)
        *owner = name;
    else
        while (!__atomic_compare_exchange_n(owner, &expected, name, false, __ATOMIC_ACQUIRE,
                                            __ATOMIC_RELAXED))
            expected = 0;
}
// Locking is enabled for the owner, too: what happens then depends on the type.
static inline bool tslrt_mutex_free_for(const void *mutex, const tslrt_fiber *fiber) {
    int owner = ((const pthread_mutex_t *)mutex)->__data.__owner;
    return owner == 0 || owner == tslrt_name_of(fiber);
}
uint16_t tslrt_mutex_owner(const void *mutex);
// For condition waits: give up one level of the mutex, as glibc does, and take it again.
void tslrt_mutex_drop(pthread_mutex_t *mutex);
int tslrt_mutex_take(pthread_mutex_t *mutex);
int tslrt_mutex_check_held(pthread_mutex_t *mutex, const char *by);

bool tslrt_spin_free_for(const void *lock, const tslrt_fiber *fiber);
bool tslrt_rwlock_readable(const void *lock);
bool tslrt_rwlock_writable(const void *lock);
uint16_t tslrt_rwlock_writer(const void *lock);
bool tslrt_sem_takes(const void *sem); // a wait goes on
bool tslrt_once_running(const void *once);
uint16_t tslrt_once_runner(const void *once);

void tslrt_release_robust(void); // a thread ends: mutexes that it holds
void tslrt_objects_freed(uintptr_t from, uint64_t size);

#endif
