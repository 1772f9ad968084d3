// Where does an asm goto go on?
//
// What a read-modify-write in the template has left can only be looked at behind it, on every way
// that it may take.  Each of these ways gets a block of its own, so that there is room, also for
// the hook of a loop that waits.
#ifndef TSL_CC_ASMGOTO_H
#define TSL_CC_ASMGOTO_H

#include "cc/weave.h"

// Makes the blocks, before anything else looks at the function.
void tsl_asmgoto_split(tsl_weaver *w);

// Remembers that what lies at `p`, and was `old`, is compared behind the call.
void tsl_asmgoto_compare(tsl_weaver *w, LLVMValueRef call, LLVMValueRef p, LLVMValueRef old);

// Puts what was remembered into the blocks, after the function was walked.
void tsl_asmgoto_finish(tsl_weaver *w);

#endif
