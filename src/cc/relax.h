// Which promises of the front end do the hooks break?
//
// The optimiser runs after instrumentation and believes what attributes say.  But an instrumented
// function records events and may switch threads: it has side effects, it need not return, and its
// restrict pointers may alias those of other threads.  And an empty loop may wait for a thread.
#ifndef TSL_CC_RELAX_H
#define TSL_CC_RELAX_H

#include "base/err.h"
#include "cc/weave.h"

// Bodies that are only there to be inlined become part of this module or are removed, because the
// optimiser could otherwise inline code without hooks.  Then locals move into registers, and every
// outcome of a branch gets a block of its own (cover.h).
bool tsl_relax_promote(LLVMModuleRef module, tsl_err *err);

// Takes back the promises of all functions, calls and loops.
void tsl_relax_module(tsl_weaver *w);

#endif
