// flockfile: a lock per stream, recursive, that every function of stdio waits for.
//
// To libc all threads are one, so its own locks of streams let everybody through.  Here a stream has a mutex
// in the registry, at a place that follows from the stream's address.  Functions that use a stream which
// another thread holds take that mutex and give it back before they call libc, where nobody else can
// run.  A program that never calls flockfile makes no such steps.
#include <stdarg.h>
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
    if (!tslrt->locks_files || TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    pthread_mutex_t *lock = lock_of(file);
    TSL_HOT->call_site = site;
    pthread_mutex_lock(lock);
    TSL_HOT->call_site = site;
    pthread_mutex_unlock(lock);
}

// ---------------------------------------------------------------- what writes

static void waits(FILE *file) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tslrt_file_wait(file, tslrt_take_site());
}

API int __teasel_locked_fputc(int c, FILE *file) {
    waits(file);
    return fputc(c, file);
}

API int __teasel_locked_putchar(int c) {
    waits(stdout);
    return fputc(c, stdout);
}

API int __teasel_locked_fputs(const char *text, FILE *file) {
    waits(file);
    return fputs(text, file);
}

API int __teasel_locked_puts(const char *text) {
    waits(stdout);
    return puts(text);
}

API size_t __teasel_locked_fwrite(const void *from, size_t size, size_t n, FILE *file) {
    waits(file);
    return fwrite(from, size, n, file);
}

API int __teasel_locked_fflush(FILE *file) {
    if (file)
        waits(file);
    return fflush(file);
}

API int __teasel_locked_vfprintf(FILE *file, const char *format, va_list args) {
    waits(file);
    return vfprintf(file, format, args);
}

API int __teasel_locked_vprintf(const char *format, va_list args) {
    waits(stdout);
    return vfprintf(stdout, format, args);
}

API int __teasel_locked_fprintf(FILE *file, const char *format, ...) {
    va_list args;
    waits(file);
    va_start(args, format);
    int n = vfprintf(file, format, args);
    va_end(args);
    return n;
}

API int __teasel_locked_printf(const char *format, ...) {
    va_list args;
    waits(stdout);
    va_start(args, format);
    int n = vfprintf(stdout, format, args);
    va_end(args);
    return n;
}
