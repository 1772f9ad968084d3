// Where a stream reads from.
#ifndef TSLRT_STREAM_H
#define TSLRT_STREAM_H

#include <stdio.h>

#include "../rt.h"

// What the next character of a stream is of.
tslrt_source tslrt_stream_source(FILE *file);
// How many bytes were read since.
size_t tslrt_stream_read(FILE *file, tslrt_source from);

// The object that stands for the file that the stream is on, 0: none.  It is the same for all streams on one file.
uint64_t tslrt_stream_object(FILE *file);
void tslrt_stream_forget(const FILE *file); // it is closed

// lockfile.c: waits while another thread holds the stream.
void tslrt_file_wait(FILE *file, uint32_t site);
// A stream whose reading and writing are steps (piped.c): false if there are too many.
bool tslrt_file_piped(const FILE *file, pthread_mutex_t *mutex);
// The same with the lock of flockfile.  foreign: a function that libc calls for the stream and that is not instrumented, or NULL.
bool tslrt_file_guard(const FILE *file, const void *foreign);
bool tslrt_file_is_piped(const FILE *file);
FILE *tslrt_file_unflushed(void); // such a stream with output that was not written yet, or NULL
// Holds such a stream until the call returns.  False: it is none.
bool tslrt_file_enter(FILE *file, uint32_t site);
void tslrt_file_leave(uint32_t site); // only if SELF->stream is set
pthread_mutex_t *
tslrt_file_closed(const FILE *file); // its mutex; NULL: it is none, or has no other

// piped.c: what else belonged to a stream that was closed.
void tslrt_piped_closed(const FILE *file);
// A stream on a pipe or socket; NULL: libc opens it.
FILE *tslrt_piped_open(int fd, const char *mode);
// A stream that libc handles alone: waits until it can be used, if it is on a pipe or socket.
void tslrt_file_wait_ready(FILE *file, bool reads, uint32_t site);

#endif
