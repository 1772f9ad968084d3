// Can a local variable be reached by anything but its own function?
//
//     local(a)  =  every use of a, and of every address computed from a, is one of
//                    the address of a load, store or atomic operation
//                    an operand of a memory intrinsic or a comparison
//                    a by-value argument (the callee gets a copy)
//
// A phi or select makes `a` not local: tracing its result is the optimiser's business.
#ifndef TSL_CC_ESCAPE_H
#define TSL_CC_ESCAPE_H

#include "cc/weave.h"

// Fills w->local for w->function.
void tsl_escape_analyse(tsl_weaver *w);

// Do accesses through `p` need no hook, because no other thread can notice them?
bool tsl_escape_is_private(const tsl_weaver *w, LLVMValueRef p);

// The object p points into, with address computations stripped.
LLVMValueRef tsl_escape_base(LLVMValueRef p);

#endif
