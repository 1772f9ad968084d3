// How is a call of a hook written into the module?
//
// TSL_INSERT writes it, for any hook of abi/hooks.def.  Each call gets the debug location of the
// instruction it announces, because the verifier demands one on calls that can be inlined, and
// because a backtrace should name the user's line.
#ifndef TSL_CC_HOOK_H
#define TSL_CC_HOOK_H

#include "cc/weave.h"

void tsl_hook_declare(tsl_weaver *w);

// The next hooks go in front of `inst`, or right behind it.
void tsl_hook_before(tsl_weaver *w, LLVMValueRef inst);
void tsl_hook_after(tsl_weaver *w, LLVMValueRef inst);

// Inserts a call of __teasel_HOOK with these arguments, and returns the call.  The compiler checks
// how many arguments there are; the verifier, which runs on every instrumented module, their types.
#define TSL_INSERT(w, hook, ...)                                                                   \
    __extension__({                                                                                \
        LLVMValueRef tsl_args[] = {__VA_ARGS__};                                                   \
        _Static_assert(sizeof tsl_args / sizeof *tsl_args == TSL_ARITY_##hook,                     \
                       "hook " #hook " has another number of parameters (abi/hooks.def)");         \
        tsl_hook_insert(w, TSL_HOOK_##hook, tsl_args);                                             \
    })

// The same, with an array of TSL_ARITY_HOOK arguments.
LLVMValueRef tsl_hook_insert(tsl_weaver *w, enum tsl_hook h, LLVMValueRef *args);

// The size of a hook; any other function is small.
enum tsl_hook_size tsl_hook_size_of(const tsl_weaver *w, LLVMValueRef callee);

// ---------------------------------------------------------------- arguments

static inline LLVMValueRef tsl_u32(const tsl_weaver *w, uint64_t x) {
    return LLVMConstInt(w->i32, x, 0);
}
static inline LLVMValueRef tsl_u64(const tsl_weaver *w, uint64_t x) {
    return LLVMConstInt(w->i64, x, 0);
}

// A word that the runtime sets before any instrumented code runs, so that the optimiser may load it
// once per function.
LLVMValueRef tsl_hook_fixed(tsl_weaver *w, LLVMTypeRef type, LLVMValueRef word);

// A site's number in the program; its number in this module is given.
LLVMValueRef tsl_hook_site(tsl_weaver *w, uint32_t site);
// The same for a new site.
LLVMValueRef tsl_hook_site_of(tsl_weaver *w, LLVMValueRef inst, enum tsl_site_kind kind);

// A memory order by its number in C11.
uint32_t tsl_hook_order(LLVMAtomicOrdering order);

// The low and high 64 bits of an integer, pointer, float or double.
LLVMValueRef tsl_hook_low(tsl_weaver *w, LLVMValueRef v);
LLVMValueRef tsl_hook_high(tsl_weaver *w, LLVMValueRef v);

#endif
