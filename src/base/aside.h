// Work that may never end, done in a process of its own that can be killed.
//
// The process is a copy of this one, so the work finds all data in place and nothing has to be
// handed over.  What the work changes is lost, except the bytes that it writes to `out`.
#ifndef TSL_BASE_ASIDE_H
#define TSL_BASE_ASIDE_H

#include <stdbool.h>

#include "base/buf.h"

typedef void tsl_aside_work(void *self, int out);

// Returns false if the work took more than `seconds` (0: no limit), passed the deadline, or died.
bool tsl_aside(tsl_aside_work *work, void *self, double seconds, tsl_buf *out);

#endif
