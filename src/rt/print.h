// Text without stdio.
#ifndef TSLRT_PRINT_H
#define TSLRT_PRINT_H

#include <stddef.h>

int tslrt_format(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int tslrt_vformat(char *to, size_t size, const char *fmt, __builtin_va_list args);

// Reads the beginning of a file, such as those of /proc, and puts a 0 behind it.  A file that can't
// be read counts as empty.
void tslrt_read_text(const char *path, char *text, size_t size);

#endif
