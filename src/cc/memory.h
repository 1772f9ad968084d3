// Which bytes does an instruction touch, and how?
//
// Loads, stores, atomic operations, fences and the memory intrinsics get hooks that announce them.
#ifndef TSL_CC_MEMORY_H
#define TSL_CC_MEMORY_H

#include "cc/weave.h"

void tsl_memory_load(tsl_weaver *w, LLVMValueRef load);
void tsl_memory_store(tsl_weaver *w, LLVMValueRef store);
void tsl_memory_rmw(tsl_weaver *w, LLVMValueRef rmw);
void tsl_memory_cas(tsl_weaver *w, LLVMValueRef cmpxchg);
void tsl_memory_fence(tsl_weaver *w, LLVMValueRef fence);

// memcpy, memmove and memset, and arguments that are copied by the call itself.
void tsl_memory_call(tsl_weaver *w, LLVMValueRef call);

// Types whose size is known only at run time (SVE vectors) can't be announced.
bool tsl_memory_is_scalable(LLVMTypeRef type);
// The size of an access; 0 if it can't be announced.
uint64_t tsl_memory_size(const tsl_weaver *w, LLVMTypeRef type);

#endif
