// Callbacks of a call of libc.
#ifndef TSLRT_OVERTAKEN_H
#define TSLRT_OVERTAKEN_H

#include "abi/wire.h"

// Has another thread changed, since that step, what the step tells?
bool tslrt_overtaken(const tsl_event *call);

#endif
