// Was a synchronisation object read as plain memory while another thread could change it?
//
// A step that reads bytes of a mutex (say, a copy of a structure with a mutex in it) does not
// conflict with a step that locks the mutex: hardly a program reads a mutex, and otherwise each
// lock would have to look for such reads.  But what is read does depend on the order of the two
// steps, so a strategy that tries one order of independent steps must not claim to have tried all.
//
// Such a read and such a change are partners if neither happens before the other.  The history
// notes the last step that may have a partner (`inside` of tsl_history).
#ifndef TSL_MODEL_INSIDE_H
#define TSL_MODEL_INSIDE_H

#include "model/history.h"

// A partner of step s, or TSL_NONE.
uint32_t tsl_inside_partner(const tsl_history *h, uint32_t s);

#endif
