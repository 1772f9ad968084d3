// Named pipes: opening one waits until another thread or process opens the other end.
#ifndef TSLRT_LIBC_WAITS_H
#define TSLRT_LIBC_WAITS_H

#include <stdbool.h>
#include <stdint.h>

// Would opening this path wait for another thread?
bool tslrt_fifo_waits(int dir, const char *path, int flags);
// Takes a step that opens it and waits.  Returns the descriptor, or a negative errno.
long tslrt_fifo_open(int dir, const char *path, int flags, uint32_t site);

// A descriptor was opened: if it is a named pipe, it carries bytes between threads from now on.
struct stat;
void tslrt_fifo_opened(int fd, const struct stat *st, uint32_t site);

#endif
