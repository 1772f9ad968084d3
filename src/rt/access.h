// Accesses of ranges of bytes: a step in three parts.
//
// The step on a range is announced, takes its turn, and is recorded when the length of the range is
// known (strlen measures only then).
#ifndef TSLRT_ACCESS_H
#define TSLRT_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

// Announces the step.  True if other threads may come first, so that tslrt_range_turn must follow.
bool tslrt_range_asks(unsigned kind, const void *p, uint32_t site);
void tslrt_range_turn(void);
// Announces the step, and takes its turn if other threads may come first.
void tslrt_range_begin(unsigned kind, const void *p, uint32_t site);
// Records the step, which touches `size` bytes.
void tslrt_range_end(unsigned kind, const void *p, uint64_t size, uint32_t site);

// A copy is two steps, a read and a write; the bytes written are those of the first step.  This is
// the second one: it writes n bytes just read at `from`, with their labels, then zeros up to `room`
// (copy.c).
void tslrt_store(void *to, const void *from, uint64_t n, uint64_t room, uint32_t site);

#endif
