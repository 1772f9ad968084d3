// A copy is two steps: what is read, and what is written; the bytes are those of the first one.
#ifndef TSLRT_COPY_H
#define TSLRT_COPY_H

#include "rt.h"

// The step that writes: n bytes that were just read at `from`, then zeros up to `room`; with their labels.
void tslrt_store(void *to, const void *from, uint64_t n, uint64_t room, uint32_t site);

#endif
