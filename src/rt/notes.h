// The notes of a step: what it does besides what its event tells.
#ifndef TSLRT_NOTES_H
#define TSLRT_NOTES_H

#include "abi/conflict.h"

typedef struct tslrt_fiber tslrt_fiber;

// Of the event or note; 0 if no note tells it.  Events from `end` on are not there.
static inline uint64_t tslrt_length_of(const tsl_event *e, const tsl_event *end) {
    return e + 1 < end && e[1].kind == TSL_EV_LENGTH ? e[1].addr : 0;
}

// The access of a step's event, or of an ALSO note.
static inline tsl_access tslrt_access_of(const tsl_event *e, const tsl_event *end) {
    bool also = e->kind == TSL_EV_ALSO;
    return tsl_access_make(also ? e->res & 255u : e->kind, also ? e->res >> 8 : e->res, e->addr,
                           tsl_access_size(e, tslrt_length_of(e, end)));
}

static inline unsigned tslrt_size_code(uint64_t size) {
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : TSL_ARG_RANGE;
}

// The step just recorded makes a further access, of 1 << size_code bytes, or of a range.
void tslrt_also(unsigned kind, const void *object, unsigned res, unsigned size_code);
void tslrt_also_range(unsigned kind, const void *p, uint64_t size);
// How long the range of the event or note before is.
void tslrt_note_length(uint64_t size);
// The step woke a waiter of the object.  Behind all such notes it is told which threads can run.
void tslrt_woke(const void *object, const tslrt_fiber *waiter);
void tslrt_enable_woken(const tsl_event *first);

#endif
