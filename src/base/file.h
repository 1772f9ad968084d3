// Reads whole files, and writes files so that each is old or new, never a mixture.
#ifndef TSL_BASE_FILE_H
#define TSL_BASE_FILE_H

#include "base/buf.h"
#include "base/err.h"

#define TSL_FILE_MAX ((size_t)1 << 30) // tsl_file_read refuses more than that

// A zero byte stands behind the end.  The caller frees *bytes with tsl_free.
bool tsl_file_read(const char *path, char **bytes, size_t *len, tsl_err *err);
bool tsl_file_read_max(const char *path, size_t max, char **bytes, size_t *len, tsl_err *err);

// Writes a temporary file in the same folder and renames it, so a reader sees all of the old file
// or all of the new one.  A symbolic link is never followed; the file takes its place.  `-` is
// standard output.  Character devices, pipes and our own descriptors (/dev/stdout, /dev/stderr,
// /dev/fd/N, /proc/self/fd/N) are written in place.
bool tsl_file_write_atomic(const char *path, const void *bytes, size_t len, tsl_err *err);
// Writes a text and drops it.
bool tsl_file_write_text(const char *path, tsl_buf *text, tsl_err *err);

// Reserves standard output for the file that is written under the name `-`.  What is printed from
// now on goes to standard error.
bool tsl_file_take_stdout(tsl_err *err);

// The same for a file that another program writes, such as a linker.  `stage` returns the name that
// the program shall write, in a new folder that only we can write to; the caller frees it with
// tsl_free.  `publish` moves the file to its place, `unstage` deletes it.
char *tsl_file_stage(const char *path, tsl_err *err);
bool tsl_file_publish(const char *staged, const char *path, tsl_err *err);
void tsl_file_unstage(const char *staged);

// Is a file of this name written in place?
bool tsl_file_is_stream(const char *path);

// Makes a folder and the folders above it.  A folder that exists is fine, and so is a symbolic link
// to one, unless the link belongs to another user.
bool tsl_file_make_folder(const char *path, tsl_err *err);

// The last part of a path.
const char *tsl_file_base(const char *path);

// Can this file be written, as far as that is known now?  Asked long before it is written.
bool tsl_file_can_write(const char *path, tsl_err *err);

// Would writing `path` replace the file `name`?
bool tsl_file_is_replaced_by(const char *name, const char *path);

#endif
