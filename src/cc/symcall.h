// How do labels pass through calls?
//
// The caller leaves the labels of arguments in words of the runtime, with the address of
// the function they are meant for, and only if one of them is not 0.  A function takes them at
// its entry if they are meant for it: so code that was not instrumented can stand between
// the two, and nothing is mistaken for something else.  Results go back the same way.
#ifndef TSL_CC_SYMCALL_H
#define TSL_CC_SYMCALL_H

#include "cc/weave.h"

// Labels of the parameters.
void tsl_symcall_enter(tsl_weaver *w);
void tsl_symcall_call(tsl_weaver *w, LLVMValueRef call);
void tsl_symcall_return(tsl_weaver *w, LLVMValueRef ret);

// In symbolic.c.
LLVMValueRef tsl_symbolic_binary(tsl_weaver *w, unsigned code, LLVMValueRef a, LLVMValueRef b);
void tsl_symbolic_lose(tsl_weaver *w, LLVMValueRef inst, LLVMValueRef operand);
void tsl_symbolic_address(tsl_weaver *w, LLVMValueRef inst, LLVMValueRef p, uint64_t size,
                          unsigned use);

#endif
