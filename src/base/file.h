// Whole files: read one, write one so that it is either old or new.
#ifndef TSL_BASE_FILE_H
#define TSL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define TSL_FILE_MAX ((size_t)1 << 30) // tsl_file_read refuses more than that

// A zero byte is kept behind the end.  The caller frees *bytes with tsl_free.
bool tsl_file_read(const char *path, char **bytes, size_t *len, tsl_err *err);
bool tsl_file_read_max(const char *path, size_t max, char **bytes, size_t *len, tsl_err *err);

// Through a temporary file in the same folder and rename: whoever reads sees all
// of the old or all of the new.  A symbolic link is never followed: the file takes
// its place.  `-` is standard output.  Character devices and pipes are written in place, and so are our own
// descriptors (/dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N).
bool tsl_file_write_atomic(const char *path, const void *bytes, size_t len, tsl_err *err);

// Standard output is for a file from now on, which is written under the name `-`: what is printed
// goes to standard error instead.
bool tsl_file_take_stdout(tsl_err *err);

// The same for a file that another program writes, like a linker: it writes the staged
// name, in a folder of its own that only we can write to.  publish puts the file in its
// place; unstage throws it away.  The caller frees the name with tsl_free.
char *tsl_file_stage(const char *path, tsl_err *err);
bool tsl_file_publish(const char *staged, const char *path, tsl_err *err);
void tsl_file_unstage(const char *staged);

// Is that written in place, piece behind piece?
bool tsl_file_is_stream(const char *path);

// Makes a folder and those above it; one that is there already will do, and so will a
// symbolic link to one, unless the link is another user's.
bool tsl_file_make_folder(const char *path, tsl_err *err);

// Early word on a file to be written much later: can it be, as far as one can tell?
bool tsl_file_can_write(const char *path, tsl_err *err);

// Would writing `path` take away the file of that name?
bool tsl_file_is_replaced_by(const char *name, const char *path);

#endif
