// Was a synchronisation object read as plain memory while another thread could change it?
//
// A step that reads bytes of a mutex (a structure with a mutex in it is copied) does not conflict with one that locks the
// mutex, because hardly a program does so and each lock would have to look for such reads.  What is read depends on the order all
// the same, so strategies that try one order of independent steps must not claim to have tried all.
//
// A step of each kind is a pair if neither happens before the other.  The history notes steps that come into question (`inside`).
#ifndef TSL_MODEL_INSIDE_H
#define TSL_MODEL_INSIDE_H

#include "model/history.h"

// The partner of step s, or TSL_NONE.
uint32_t tsl_inside_partner(const tsl_history *h, uint32_t s);

#endif
