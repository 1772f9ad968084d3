// How is a call of a hook written into the module?
//
// One function per hook of abi/hooks.h.  Each call gets the debug location of
// the instruction it announces, because the verifier demands one on calls that
// can be inlined, and because a backtrace should name the user's line.
#ifndef TSL_CC_HOOK_H
#define TSL_CC_HOOK_H

#include <stdbool.h>

#include "cc/weave.h"

void tsl_hook_declare(tsl_weaver *w);

// The next hooks go in front of `inst`, or right behind it.
void tsl_hook_before(tsl_weaver *w, LLVMValueRef inst);
void tsl_hook_after(tsl_weaver *w, LLVMValueRef inst);

// Is it one whose fast path is worth keeping out of huge functions?
bool tsl_hook_is_large(const tsl_weaver *w, LLVMValueRef callee);
// Is it one of those for labels?
bool tsl_hook_is_label(const tsl_weaver *w, LLVMValueRef callee);

// Any hook, by its arguments as in abi/hooks.h; what it returns.
LLVMValueRef tsl_hook_call_value(tsl_weaver *w, enum tsl_hook h, LLVMValueRef *args);
// The number of a site at run time.
LLVMValueRef tsl_hook_site(tsl_weaver *w, uint32_t site);
// The low and high 64 bits of an integer or pointer.
LLVMValueRef tsl_hook_low(tsl_weaver *w, LLVMValueRef v);
LLVMValueRef tsl_hook_high(tsl_weaver *w, LLVMValueRef v);

void tsl_hook_access(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, uint64_t size);
void tsl_hook_range(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, LLVMValueRef size);
// Returns where the bytes are to be copied from.
LLVMValueRef tsl_hook_copy(tsl_weaver *w, LLVMValueRef to, LLVMValueRef from, uint32_t site,
                           uint32_t kind, LLVMValueRef size);
void tsl_hook_atomic(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, uint64_t size,
                     LLVMAtomicOrdering order);
// `stored`: whether it did, as the program sees it.
void tsl_hook_cas_result(tsl_weaver *w, LLVMValueRef cmpxchg, LLVMValueRef stored);
// Behind a read-modify-write that may have written what was there.
void tsl_hook_rmw_result(tsl_weaver *w, LLVMValueRef rmw);
void tsl_hook_fence(tsl_weaver *w, uint32_t site, LLVMAtomicOrdering order);
void tsl_hook_call(tsl_weaver *w, LLVMValueRef descriptor, uint32_t site);
// The same of a function that may be one of libc, with the arguments of the call, and behind the call.
void tsl_hook_extern(tsl_weaver *w, LLVMValueRef descriptor, LLVMValueRef called, uint32_t site);
void tsl_hook_extern_done(tsl_weaver *w, LLVMValueRef descriptor, LLVMValueRef called);
void tsl_hook_icall(tsl_weaver *w, LLVMValueRef called, uint32_t site);
void tsl_hook_icall_done(tsl_weaver *w, LLVMValueRef called);
void tsl_hook_asm(tsl_weaver *w, uint32_t site, uint32_t flags);
void tsl_hook_also(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, uint64_t size);
void tsl_hook_frame(tsl_weaver *w, LLVMValueRef bytes);

#endif
