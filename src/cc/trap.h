// Traps that stay though nobody uses what is computed.
//
// A program as people build it divides by zero or reads through a null pointer where the source says
// so, whether or not it uses the result.  The optimiser behind the instrumenter may drop both, and
// may even conclude that the divisor is not zero.  So
//
//     a division         is preceded by a test of its divisor, and of the one quotient that
//                        does not fit, which really traps
//     a load             whose value may not be needed is volatile
//     a store            is volatile: into a constant (the text of a literal) it crashes
//     a copy             into a local starts with a look at its source
//     a null pointer     may be read, as far as the optimiser knows: so that it does
#ifndef TSL_CC_TRAP_H
#define TSL_CC_TRAP_H

#include "cc/weave.h"

// Which loads of the function being walked may not be needed?  Before it has hooks.
void tsl_trap_find(tsl_weaver *w);
// A constant by which a division of this kind never traps?
bool tsl_trap_is_harmless(LLVMValueRef divisor, bool with_sign);
void tsl_trap_division(tsl_weaver *w, LLVMValueRef division);
void tsl_trap_load(tsl_weaver *w, LLVMValueRef load);
void tsl_trap_store(tsl_weaver *w, LLVMValueRef store);
// A copy to `dest`, or a block of memory that is set, also if the program may not write there.
void tsl_trap_write(tsl_weaver *w, LLVMValueRef call);
// `source` is read by a copy into memory that only this function can reach.
void tsl_trap_copy(tsl_weaver *w, LLVMValueRef call, LLVMValueRef source, LLVMValueRef size);

#endif
