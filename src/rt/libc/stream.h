// Streams: where they read from, and when calls that use them must wait.
#ifndef TSLRT_LIBC_STREAM_H
#define TSLRT_LIBC_STREAM_H

#include <pthread.h>
#include <stdio.h>

#include "../symbol/outside.h"

#define TSLRT_MAX_FILES 64
#define TSLRT_STREAM_NAMES 16

// What was found out of a stream.
typedef struct tslrt_stream_name {
    const void *file;
    uint64_t object;
} tslrt_stream_name;

// The lock of a stream.
typedef struct file_lock {
    const void *file; // the stream; NULL: free
    pthread_mutex_t mutex;
    pthread_mutex_t *piped; // of a stream of piped.c, instead of the other; else NULL
    const void *foreign;    // a function of it that is not instrumented, or NULL
} file_lock;

// Where the next character of a stream comes from.
tslrt_source tslrt_stream_source(FILE *file);
// How many bytes were read since the stream was at `from`.
size_t tslrt_stream_read(FILE *file, tslrt_source from);

// The object for the stream's file in events, the same for all streams on one file; or 0.
uint64_t tslrt_stream_object(FILE *file);
void tslrt_stream_forget(const FILE *file); // it is closed

// lockfile.c: waits while another thread holds the stream.
void tslrt_file_wait(FILE *file, uint32_t site);
// Registers a piped stream, whose reads and writes are steps (piped.c).  False if there is no room.
bool tslrt_file_piped(const FILE *file, pthread_mutex_t *mutex);
// The same with the lock of flockfile.  `foreign` is a function that libc calls for the stream and
// that is not instrumented, or NULL.
bool tslrt_file_guard(const FILE *file, const void *foreign);
bool tslrt_file_is_piped(const FILE *file);
FILE *tslrt_file_unflushed(void); // a piped stream with output that is not written yet, or NULL
// Holds a piped stream until the call returns.  False if the stream is not piped.
bool tslrt_file_enter(FILE *file, uint32_t site);
void tslrt_file_leave(uint32_t site); // only if SELF->io.stream is set
// The stream was closed: returns the mutex it was registered with, or NULL.
pthread_mutex_t *tslrt_file_closed(const FILE *file);

// piped.c: releases what else belonged to a stream that was closed.
void tslrt_piped_closed(const FILE *file);
// For a stream on a pipe or socket that libc handles alone: waits until it can be used.
void tslrt_file_wait_ready(FILE *file, bool reads, uint32_t site);

#endif
