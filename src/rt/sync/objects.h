// How synchronisation objects lie in the program's memory.
//
// The state of an object is kept in the object itself, in place of libc's, so it
// is found without a look-up and restored with the rest of memory.  All zero is
// what the static initialisers give.  A destroyed object is marked, so that its
// use is seen.
#ifndef TSLRT_OBJECTS_H
#define TSLRT_OBJECTS_H

#include "../rt.h"

#define API __attribute__((visibility("default"), weak)) // a program may define its own

#define TSLRT_DESTROYED 0x7ead
#define TSLRT_ALIVE 0x11fe // set by *_init, to tell it from a static initialiser

// Locks in a thread's list of what it holds: the low bits of the address tell the kind.
#define TSLRT_HELD_RW(lock) ((void *)((uintptr_t)(lock) | 1))
#define TSLRT_HELD_SPIN(lock) ((void *)((uintptr_t)(lock) | 2))
static inline bool tslrt_held_is_mutex(const void *held) { return ((uintptr_t)held & 3) == 0; }

bool tslrt_mutex_free_for(const void *mutex, const tslrt_fiber *fiber);
uint16_t tslrt_mutex_owner(const void *mutex);
// Gives up the mutex inside a condition wait, and takes it again with all its levels.
unsigned tslrt_mutex_drop(pthread_mutex_t *mutex);
int tslrt_mutex_take_back(pthread_mutex_t *mutex, unsigned levels);
int tslrt_mutex_check_held(pthread_mutex_t *mutex, const char *by);

bool tslrt_rwlock_readable(const void *lock);
bool tslrt_rwlock_writable(const void *lock);
uint16_t tslrt_rwlock_writer(const void *lock);
uint32_t tslrt_sem_value(const void *sem);
bool tslrt_once_running(const void *once);
uint16_t tslrt_once_runner(const void *once);

#endif
