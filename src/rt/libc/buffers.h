// Memory of the program that streams use; see buffers.c.
#ifndef TSLRT_BUFFERS_H
#define TSLRT_BUFFERS_H

#include <stdio.h>

#include "../rt.h"

// The nth piece of memory that a call with this stream may touch; NULL: all streams.  False if
// none.
bool tslrt_buffer_of(const FILE *file, unsigned nth, const void **at, uint64_t *size);

// fflush(NULL) at the end of the process.
void tslrt_flush_at_exit(void);

#endif
