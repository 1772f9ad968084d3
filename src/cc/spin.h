// Which loops may wait for another thread?
//
// A loop waits if a round of it changes nothing: it then goes round until another thread writes
// something that it reads.  Whether a round changed something is found at run time (rt/await.c).
// This file finds loops that might wait, and passes the state that a round leaves to the next one
// to the runtime:
//
//     natural loops of the promoted code; their state is the values of the header's phis
//     except loops that count (phi + constant) or follow a list (phi = *phi): they end
//     except loops that write to locals which nothing else can reach: that is state, too
//     except loops that neither read memory nor call anything
//
// A hook stands on every edge into the header, from outside and from inside.
#ifndef TSL_CC_SPIN_H
#define TSL_CC_SPIN_H

#include "cc/weave.h"

// Finds such loops in the function being walked, before it has hooks.
void tsl_spin_find(tsl_weaver *w);
// Inserts their hooks.
void tsl_spin_hook(tsl_weaver *w);
void tsl_spin_drop(tsl_weaver *w);

#endif
