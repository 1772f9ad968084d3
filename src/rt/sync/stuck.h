// Threads that wait for ever.
#ifndef TSLRT_SYNC_STUCK_H
#define TSLRT_SYNC_STUCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;

uint16_t tslrt_owner_of(const tslrt_fiber *fiber); // which thread holds what the fiber waits for
bool tslrt_find_stuck(bool others_run); // marks all that are stuck; true if there are any
void tslrt_end_if_stuck(bool others_run);

#endif
