// Which promises of the front end do the hooks break?
//
// The optimiser runs after instrumentation and believes what attributes say.
// A function that now records events and may switch threads is no longer
// free of side effects, may not return, and its restrict pointers may meet
// another thread's; an empty loop may be somebody's way to wait.
#ifndef TSL_CC_RELAX_H
#define TSL_CC_RELAX_H

#include "base/err.h"
#include "cc/weave.h"

// Inline-only bodies become part of this module, or go: the optimiser could
// inline what the instrumenter was not shown.  Then locals move into registers, and
// every outcome of a branch gets a block of its own (cover.h).
bool tsl_relax_promote(LLVMModuleRef module, tsl_err *err);

// Takes back the promises of all functions, calls and loops.
void tsl_relax_module(tsl_weaver *w);

#endif
