// Can anybody but its own function reach a local variable?
//
//     local(a)  =  every use of a, and of every address computed from a, is one of
//                    the address of a load, store or atomic operation
//                    an operand of a memory intrinsic or a comparison
//                    a by-value argument (the callee gets a copy)
//
// Phi and select end the search with "no": what comes out of them may be
// another object, and tracing it is the optimiser's business.
#ifndef TSL_CC_ESCAPE_H
#define TSL_CC_ESCAPE_H

#include <stdbool.h>

#include "cc/weave.h"

// Fills w->local for w->function.
void tsl_escape_analyse(tsl_weaver *w);

// Is it pointless to announce accesses through p?
bool tsl_escape_is_private(const tsl_weaver *w, LLVMValueRef p);

// The object p points into, with address computations stripped.
LLVMValueRef tsl_escape_base(LLVMValueRef p);

// The by-value type of argument number `i` of a call, or NULL.
LLVMTypeRef tsl_escape_byval(LLVMValueRef call, unsigned i);

#endif
