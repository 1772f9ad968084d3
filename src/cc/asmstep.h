// How is inline assembly announced to the runtime?  By what assembly.h finds in it:
//
//     one access    a step like any other access; a read-modify-write that the processor does not
//                   lock becomes two steps: the assembly works on a copy
//     several       one step with all accesses
//     opaque        a step that depends on everything
#ifndef TSL_CC_ASMSTEP_H
#define TSL_CC_ASMSTEP_H

#include "cc/weave.h"

void tsl_asmstep_visit(tsl_weaver *w, LLVMValueRef call);

// Tells the runtime, from where the builder stands, whether `p` still holds the value `old`.
void tsl_asmstep_result(tsl_weaver *w, LLVMValueRef p, LLVMValueRef old);

#endif
