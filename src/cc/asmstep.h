// The steps of inline assembly: what assembly.h finds, announced to the runtime.
//
//     one access                a step as any other access; read-modify-writes that the
//                               processor does not lock are two: they work on a copy
//     several                   one step with all of them
//     opaque                    a step that depends on everything
#ifndef TSL_CC_ASMSTEP_H
#define TSL_CC_ASMSTEP_H

#include "cc/weave.h"

void tsl_asmstep_visit(tsl_weaver *w, LLVMValueRef call);

// Has the read-modify-write left what was there?  Said where the builder stands.
void tsl_asmstep_result(tsl_weaver *w, LLVMValueRef p, LLVMValueRef old);

#endif
