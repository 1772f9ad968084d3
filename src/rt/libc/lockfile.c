// flockfile: a lock per stream, recursive, that every function of stdio waits for.
//
// To libc all threads are one, so its own locks of streams let everybody through.  Here a stream has a mutex
// in the registry, at a place that follows from the stream's address.  Functions that use a stream which
// another thread holds take that mutex and give it back before they call libc, where nobody else can
// run.  A program that never calls flockfile makes no such steps.
#include <stdio.h>

#include "../sync/objects.h"
#include "stream.h"

static pthread_mutex_t *lock_of(const FILE *file) {
    tslrt_registry *reg = tslrt_reg_change();
    unsigned first = (unsigned)((uintptr_t)file >> 4 ^ (uintptr_t)file >> 12);
    for (unsigned i = 0; i < TSLRT_MAX_FILES; i++) {
        file_lock *lock = &reg->files[(first + i) % TSLRT_MAX_FILES];
        if (lock->file == file)
            return &lock->mutex;
        if (lock->file)
            continue;
        lock->file = file;
        lock->mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        return &lock->mutex;
    }
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "more than %u streams are locked: the rest share one lock", TSLRT_MAX_FILES);
    return &reg->files[0].mutex;
}

API void flockfile(FILE *file) { pthread_mutex_lock(lock_of(file)); }

API int ftrylockfile(FILE *file) { return pthread_mutex_trylock(lock_of(file)) ? -1 : 0; }

API void funlockfile(FILE *file) { pthread_mutex_unlock(lock_of(file)); }

void tslrt_file_wait(FILE *file, uint32_t site) {
    if (!tslrt->locks_files || TSL_HOT->recording == TSL_RECORD_NOTHING || TSLRT_BROKEN(FLOCKFILE))
        return;
    pthread_mutex_t *lock = lock_of(file);
    TSL_HOT->call_site = site;
    pthread_mutex_lock(lock);
    TSL_HOT->call_site = site;
    pthread_mutex_unlock(lock);
}
