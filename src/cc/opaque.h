// Which calls lead to code that the instrumenter does not see?
//
// Calls of functions this module does not define, calls through pointers, and
// inline assembly.  Calls inside the module need no hook: their bodies have them.
#ifndef TSL_CC_OPAQUE_H
#define TSL_CC_OPAQUE_H

#include "cc/weave.h"

void tsl_opaque_call(tsl_weaver *w, LLVMValueRef call);

#endif
