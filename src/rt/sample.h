// Policies that draw schedules at random.
#ifndef TSLRT_SAMPLE_H
#define TSLRT_SAMPLE_H

#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;

#define TSLRT_POINTS 65536u

void tslrt_sample_begin(void);
void tslrt_sample_created(const tslrt_fiber *fiber);
// One of the first n enabled threads.  After `limit` steps in a row, others have a turn.
tslrt_fiber *tslrt_sample_pick(unsigned n, uint32_t limit);

#endif
