// Emits the descriptor of a module and its constructor; see register.h.
#include "cc/register.h"

#include "cc/hook.h"

static LLVMValueRef add_global(tsl_weaver *w, const char *name, LLVMValueRef value) {
    LLVMValueRef global = LLVMAddGlobal(w->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    return global;
}

static LLVMValueRef emit_functions(tsl_weaver *w) {
    LLVMValueRef table = LLVMConstArray2(w->ptr, w->functions.data, w->functions.len);
    return tsl_llvm_add_table(w->module, "__teasel_functions", table);
}

static LLVMValueRef emit_name(tsl_weaver *w) {
    size_t len;
    const char *name = LLVMGetSourceFileName(w->module, &len);
    return tsl_llvm_add_bytes(w->module, "__teasel_source", name, len + 1);
}

// The fields are those of tsl_module in abi/wire.h.
static LLVMValueRef emit_module(tsl_weaver *w) {
    const uint64_t numbers[] = {TSL_ABI_VERSION,      w->sites.table.len,
                                w->externs.uses.len,  w->functions.len,
                                w->sites.strings.len, w->counts.accesses,
                                w->counts.atomics,    w->counts.asms,
                                w->counts.icalls,     0};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    _Static_assert(offsetof(tsl_module, name) == NUMBERS * 4, "tsl_module has changed");
    LLVMValueRef fields[NUMBERS + 14];
    unsigned n = 0;
    for (; n < NUMBERS; n++)
        fields[n] = LLVMConstInt(w->i32, numbers[n], 0);
    fields[n++] = emit_name(w);
    fields[n++] = tsl_sites_emit(w);
    fields[n++] = tsl_sites_emit_strings(w);
    fields[n++] = w->externs.table;
    fields[n++] = emit_functions(w);
    fields[n++] = w->site_base;
    fields[n++] = LLVMConstNull(w->ptr);
    fields[n++] = tsl_cover_emit_funcs(w);
    fields[n++] = tsl_cover_emit_places(w);
    fields[n++] = w->cover.at;
    fields[n++] = LLVMConstInt(w->i32, w->cover.funcs.len, 0);
    fields[n++] = LLVMConstInt(w->i32, w->cover.places.len, 0);
    fields[n++] = LLVMConstInt(w->i32, w->cover.npoints, 0);
    fields[n++] = LLVMConstInt(w->i32, 0, 0);
    LLVMValueRef value = LLVMConstStructInContext(w->context, fields, n, 0);
    return add_global(w, "__teasel_module", value);
}

static LLVMValueRef emit_constructor(tsl_weaver *w, LLVMValueRef module) {
    LLVMTypeRef type = LLVMFunctionType(w->void_, NULL, 0, 0);
    LLVMValueRef f = LLVMAddFunction(w->module, "__teasel_constructor", type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(w->builder, LLVMAppendBasicBlockInContext(w->context, f, ""));
    LLVMSetCurrentDebugLocation2(w->builder, NULL);
    TSL_INSERT(w, register, module);
    LLVMBuildRetVoid(w->builder);
    return f;
}

// llvm.global_ctors can't be appended to, only replaced.  Priority 0 comes
// before everything a program may ask for.
static void add_constructor(tsl_weaver *w, LLVMValueRef constructor) {
    LLVMValueRef entry[] = {LLVMConstInt(w->i32, 0, 0), constructor, LLVMConstNull(w->ptr)};
    LLVMValueRef ours = LLVMConstStructInContext(w->context, entry, 3, 0);
    LLVMValueRef old = LLVMGetNamedGlobal(w->module, "llvm.global_ctors");
    tsl_values all = {0};
    tsl_vec_push(&all, ours);
    if (old) {
        LLVMValueRef list = LLVMGetInitializer(old);
        for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(list); i < n; i++)
            tsl_vec_push(&all, LLVMGetOperand(list, i));
        LLVMDeleteGlobal(old);
    }
    LLVMValueRef value = LLVMConstArray2(LLVMTypeOf(ours), all.data, all.len);
    LLVMSetLinkage(add_global(w, "llvm.global_ctors", value), LLVMAppendingLinkage);
    tsl_vec_drop(&all);
}

void tsl_register_emit(tsl_weaver *w) {
    tsl_externs_emit(w);
    add_constructor(w, emit_constructor(w, emit_module(w)));
}
