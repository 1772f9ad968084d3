// How do labels pass through calls?
//
// If one of the arguments has a label other than 0, the caller leaves all labels in words of the
// runtime, with the address of the callee.  A function takes them at its entry if the address is
// its own, so labels are not mixed up when code without hooks runs between the two.  Results go
// back the same way.
#ifndef TSL_CC_SYMCALL_H
#define TSL_CC_SYMCALL_H

#include "cc/weave.h"

// Takes the labels of the parameters at the function's entry.
void tsl_symcall_enter(tsl_weaver *w);
void tsl_symcall_call(tsl_weaver *w, LLVMValueRef call);
void tsl_symcall_return(tsl_weaver *w, LLVMValueRef ret);

// Defined in symbolic.c.
LLVMValueRef tsl_symbolic_binary(tsl_weaver *w, unsigned code, LLVMValueRef a, LLVMValueRef b);
void tsl_symbolic_lose(tsl_weaver *w, LLVMValueRef inst, LLVMValueRef operand);
void tsl_symbolic_address(tsl_weaver *w, LLVMValueRef inst, LLVMValueRef p, uint64_t size,
                          unsigned use);

#endif
