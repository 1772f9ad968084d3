// Which traps must happen although the result is not used?
//
// A program built without optimisation divides by zero or reads through a null pointer where the
// source says so, whether or not it uses the result.  The optimiser, which runs after the
// instrumenter, may drop both, and may even conclude that the divisor is not zero.  So
//
//     a division         is preceded by a test, which traps if the divisor is zero or the
//                        quotient does not fit
//     a load             is volatile if its value may not be needed
//     a store            is volatile: a store into a constant (the text of a literal) crashes
//     a copy             into a local is preceded by a volatile load of its source
//     a null pointer     may be read as far as the optimiser knows, so that the read stays
#ifndef TSL_CC_TRAP_H
#define TSL_CC_TRAP_H

#include "cc/weave.h"

// Finds the values of the function being walked that are needed.  Called before it has hooks.
void tsl_trap_find(tsl_weaver *w);
// Is the divisor a constant by which a division of this kind never traps?
bool tsl_trap_is_harmless(LLVMValueRef divisor, bool with_sign);
void tsl_trap_division(tsl_weaver *w, LLVMValueRef division);
void tsl_trap_load(tsl_weaver *w, LLVMValueRef load);
void tsl_trap_store(tsl_weaver *w, LLVMValueRef store);
// Keeps a copy or memset whose destination is a constant, which must crash.
void tsl_trap_write(tsl_weaver *w, LLVMValueRef call);
// Keeps the read of `source` by a copy into memory that only this function can reach.
void tsl_trap_copy(tsl_weaver *w, LLVMValueRef call, LLVMValueRef source, LLVMValueRef size);

#endif
