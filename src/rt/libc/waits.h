// Named pipes: opening one waits until somebody opens the other end.
#ifndef TSLRT_WAITS_H
#define TSLRT_WAITS_H

#include "../rt.h"

// Would opening it wait for another thread?
bool tslrt_fifo_waits(int dir, const char *path, int flags);
// A step that opens it and waits; the descriptor, or an errno below 0.
long tslrt_fifo_open(int dir, const char *path, int flags, uint32_t site);

// A descriptor was opened: if it is a named pipe, it carries bytes between threads from now on.
struct stat;
void tslrt_fifo_opened(int fd, const struct stat *st, uint32_t site);

#endif
