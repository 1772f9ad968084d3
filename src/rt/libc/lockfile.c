// flockfile: a recursive lock per stream, for which every function of stdio waits.
//
// Only one thread is ever inside libc, so libc's own locks of streams keep no thread out.  Here,
// each stream has a mutex in the registry, at a place that depends on the stream's address.
// Functions that use a stream take that mutex and release it before they call libc, where no other
// thread can run.  A program that never calls flockfile takes no such steps.
//
// But other threads do run while libc waits for a pipe (piped.c).  So functions that use a piped
// stream hold its mutex until they return, as they do in libc.

#include "../sabotage.h"
#include "../sync/objects.h"

static const char gone; // its address stands for a stream that was closed

// The place of the stream, else a free place, or NULL.
static file_lock *place_of(const FILE *file, bool *found) {
    tslrt_registry *reg = tslrt_reg();
    file_lock *empty = NULL;
    unsigned first = (unsigned)((uintptr_t)file >> 4 ^ (uintptr_t)file >> 12);
    *found = false;
    for (unsigned i = 0; i < TSLRT_MAX_FILES; i++) {
        file_lock *lock = &reg->files[(first + i) % TSLRT_MAX_FILES];
        *found = lock->file == file;
        if (*found)
            return lock;
        if (!empty && (!lock->file || lock->file == &gone))
            empty = lock;
        if (!lock->file)
            break;
    }
    return empty;
}

static file_lock *slot_of(const FILE *file) {
    bool found;
    file_lock *lock = place_of(file, &found);
    if (found || !lock)
        return lock;
    tslrt_reg_change();
    *lock =
        (file_lock){.file = file, .mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
    return lock;
}

static pthread_mutex_t *lock_of(const FILE *file) {
    file_lock *lock = slot_of(file);
    if (lock)
        return lock->piped ? lock->piped : &lock->mutex;
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "more than %u streams are locked: the rest share one lock", TSLRT_MAX_FILES);
    return &tslrt_reg_change()->files[0].mutex;
}

API void flockfile(FILE *file) { pthread_mutex_lock(lock_of(file)); }

API int ftrylockfile(FILE *file) { return pthread_mutex_trylock(lock_of(file)) ? -1 : 0; }

API void funlockfile(FILE *file) { pthread_mutex_unlock(lock_of(file)); }

void tslrt_file_wait(FILE *file, uint32_t site) {
    if (!tslrt->uses.locks_files || TSL_HOT->recording == TSL_RECORD_NOTHING ||
        TSLRT_BROKEN(FLOCKFILE))
        return;
    pthread_mutex_t *lock = lock_of(file);
    TSL_HOT->call_site = site;
    pthread_mutex_lock(lock);
    TSL_HOT->call_site = site;
    pthread_mutex_unlock(lock);
}

// ---------------------------------------------------------------- streams on pipes

bool tslrt_file_piped(const FILE *file, pthread_mutex_t *mutex) {
    file_lock *lock = slot_of(file);
    if (!lock)
        return false;
    tslrt_reg_change();
    lock->piped = mutex;
    RUN->libc.npiped++;
    return true;
}

// A stream for which libc calls functions of the program (fopencookie).
bool tslrt_file_guard(const FILE *file, const void *foreign) {
    file_lock *lock = slot_of(file);
    if (!lock || !tslrt_file_piped(file, &lock->mutex))
        return false;
    lock->foreign = foreign;
    return true;
}

static file_lock *piped(const FILE *file) {
    bool found = false;
    file_lock *lock = RUN->libc.npiped ? place_of(file, &found) : NULL;
    return found && lock->piped ? lock : NULL;
}

bool tslrt_file_is_piped(const FILE *file) { return piped(file) != NULL; }

FILE *tslrt_file_unflushed(void) {
    const tslrt_registry *reg = tslrt_reg();
    for (unsigned i = 0; RUN->libc.npiped && i < TSLRT_MAX_FILES; i++) {
        const FILE *file = reg->files[i].piped ? reg->files[i].file : NULL;
        if (file && file->_IO_write_ptr > file->_IO_write_base)
            return (FILE *)reg->files[i].file;
    }
    return NULL;
}

bool tslrt_file_enter(FILE *file, uint32_t site) {
    const file_lock *lock = piped(file);
    if (!lock)
        return false;
    if (lock->foreign)
        tslrt_foreign_back(lock->foreign, site);
    TSL_HOT->call_site = site;
    pthread_mutex_lock(lock->piped);
    SELF->io.stream = file;
    return true;
}

void tslrt_file_leave(uint32_t site) {
    const file_lock *lock = piped(SELF->io.stream);
    SELF->io.stream = NULL;
    TSL_HOT->call_site = site;
    if (lock)
        pthread_mutex_unlock(lock->piped);
}

pthread_mutex_t *tslrt_file_closed(const FILE *file) {
    file_lock *lock = piped(file);
    if (!lock)
        return NULL;
    tslrt_reg_change();
    pthread_mutex_t *mutex = lock->piped == &lock->mutex ? NULL : lock->piped;
    *lock = (file_lock){.file = &gone};
    RUN->libc.npiped--;
    return mutex;
}
