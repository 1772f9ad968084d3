// How does each value depend on inputs?
//
// Every instruction that computes, loads, stores, calls or branches gets a hook (abi/hooks.h) that
// does the same with labels (label.h).  Hooks are inlined; in the usual case they test only that
// all labels are 0.  Branches that depend on inputs are recorded, and so are addresses, before the
// access they belong to.
#ifndef TSL_CC_SYMBOLIC_H
#define TSL_CC_SYMBOLIC_H

#include "cc/weave.h"

// Called before the other hooks are inserted.
void tsl_symbolic_function(tsl_weaver *w);

#endif
