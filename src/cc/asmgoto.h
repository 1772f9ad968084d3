// Where does the program continue after an asm goto?
//
// The result of a read-modify-write in the template can only be looked at after the asm, on each
// of its ways out.  Each way out gets a block of its own, which has room for that and for the hook
// of a loop that waits.
#ifndef TSL_CC_ASMGOTO_H
#define TSL_CC_ASMGOTO_H

#include "cc/weave.h"

// Makes the blocks, before anything else looks at the function.
void tsl_asmgoto_split(tsl_weaver *w);

// Remembers that the value at `p` is to be compared with `old`, its earlier value, after the call.
void tsl_asmgoto_compare(tsl_weaver *w, LLVMValueRef call, LLVMValueRef p, LLVMValueRef old);

// Inserts the remembered comparisons into the blocks.  Called after the function was walked.
void tsl_asmgoto_finish(tsl_weaver *w);

#endif
