// Memory of the program that streams use; see buffers.c.
#ifndef TSLRT_LIBC_BUFFERS_H
#define TSLRT_LIBC_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Memory of the program that a stream uses.
enum { TSLRT_MAX_BUFFERS = 16 };
typedef struct tslrt_buffer {
    const void *file;
    const void *at; // so many bytes
    uint64_t size;
    void **text; // or NULL; else the memory is where this says, as many elements as `length` says
    size_t *length;
    uint64_t element; // bytes of each
} tslrt_buffer;

// The nth piece of memory that a call with this stream may touch; NULL: all streams.  False if
// none.
bool tslrt_buffer_of(const FILE *file, unsigned nth, const void **at, uint64_t *size);

// fflush(NULL) at the end of the process.
void tslrt_flush_at_exit(void);

#endif
