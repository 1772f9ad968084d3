// How is a path printed, and what are the files with its inputs called?
#ifndef TSL_REPORT_PATH_H
#define TSL_REPORT_PATH_H

#include "trace/paths.h"

// "exit status 0", "assertion failed: x != 42 at prog.c:7".
void tsl_path_end_text(const tsl_path *path, tsl_buf *out);

// `x = -3`, as in a bug report; the thread is named if it is not main.
void tsl_path_input_text(const tsl_path_input *input, tsl_buf *out);

// What follows "path-0001." in the name of the file of each input: the input's name with characters
// that are safe in file names, and with a number where two would be the same.
void tsl_path_files_of(const tsl_path *path, tsl_texts *out);

// The whole path: how it ends, every input with its value, bytes and file, every choice.
void tsl_path_text(const tsl_paths *paths, size_t i, const tsl_texts *files, tsl_buf *out);

#endif
