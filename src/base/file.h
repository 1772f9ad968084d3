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
// of the old or all of the new.  What is not a plain file (/dev/stdout, a
// pipe) is written in place, a symbolic link is followed.
bool tsl_file_write_atomic(const char *path, const void *bytes, size_t len, tsl_err *err);

// Makes a folder and those above it; one that is there already will do.
bool tsl_file_make_folder(const char *path, tsl_err *err);

// Early word on a file to be written much later: can it be, as far as one can tell?
bool tsl_file_can_write(const char *path, tsl_err *err);

#endif
