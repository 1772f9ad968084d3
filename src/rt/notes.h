// The notes of a step: what it does besides what its event tells.
#ifndef TSLRT_NOTES_H
#define TSLRT_NOTES_H

#include "abi/wire.h"

typedef struct tslrt_fiber tslrt_fiber;

// The step just recorded makes a further access, of 1 << size_code bytes, or of a range.
void tslrt_also(unsigned kind, const void *object, unsigned res, unsigned size_code);
void tslrt_also_range(unsigned kind, const void *p, uint64_t size);
// How long the range of the event or note before is.
void tslrt_note_length(uint64_t size);
// The step woke a waiter of the object.  Behind all such notes it is told which threads can run.
void tslrt_woke(const void *object, const tslrt_fiber *waiter);
void tslrt_enable_woken(const tsl_event *first);

#endif
