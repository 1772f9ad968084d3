// What does each value mean in terms of the inputs?
//
// Beside every instruction that computes, loads, stores, calls or branches goes one that
// does the same with labels (label.h): hooks of abi/hooks.h, inlined, whose usual case is one
// test that all labels are 0.  Branches that depend on inputs are recorded; addresses that
// do are recorded before the access they belong to.
#ifndef TSL_CC_SYMBOLIC_H
#define TSL_CC_SYMBOLIC_H

#include "cc/weave.h"

// To be called before the other hooks are inserted.
void tsl_symbolic_function(tsl_weaver *w);

#endif
