// Work that may not come back, in a process of its own that can be killed.
//
// The process is a copy of this one, so the work finds everything as it is here and nothing has to
// be handed over; what it changes is gone with it, but for the bytes it writes to `out`.
#ifndef TSL_BASE_ASIDE_H
#define TSL_BASE_ASIDE_H

#include <stdbool.h>

#include "base/buf.h"

typedef void tsl_aside_work(void *self, int out);

// False: it took longer than so many seconds (0: any time) or than the deadline allows, or died.
bool tsl_aside(tsl_aside_work *work, void *self, double seconds, tsl_buf *out);

#endif
