// A copy is two steps, a read and a write; the bytes written are those of the first step.
#ifndef TSLRT_COPY_H
#define TSLRT_COPY_H

#include <stdint.h>

// The step that writes n bytes just read at `from`, with their labels, then zeros up to `room`.
void tslrt_store(void *to, const void *from, uint64_t n, uint64_t room, uint32_t site);

#endif
