// Which loops may wait for another thread?
//
// A loop waits if a round of it changes nothing: then it goes round until something that it reads
// is written.  Whether a round did is seen at run time (rt/await.c).  Here those loops are
// found that could, and what a round hands on to the next one is handed to the runtime:
//
//     natural loops of the promoted code; their state is what the phis of the header get
//     not those that count (phi + constant) or follow a list (phi = *phi): they come to an end
//     not those that write to locals which nobody else can reach: that is state, too
//     not those that neither read memory nor call anything
//
// A hook stands on every edge into the header, from outside and from inside.
#ifndef TSL_CC_SPIN_H
#define TSL_CC_SPIN_H

#include "cc/weave.h"

// Finds them in the function being walked, before it has hooks.
void tsl_spin_find(tsl_weaver *w);
// And puts the hooks in.
void tsl_spin_hook(tsl_weaver *w);
void tsl_spin_drop(tsl_weaver *w);

#endif
