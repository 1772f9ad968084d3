// Text without stdio.
#ifndef TSLRT_PRINT_H
#define TSLRT_PRINT_H

#include <stddef.h>

int tslrt_format(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int tslrt_vformat(char *to, size_t size, const char *fmt, __builtin_va_list args);

// Reads a file, such as those of /proc, as far as there is room, and ends it with 0.  Returns its
// length; 0 if there is none.
size_t tslrt_read_text(const char *path, char *text, size_t size);

#endif
