// Passes labels of arguments and results; see symcall.h.
#include "cc/symcall.h"

#include <string.h>

#include "abi/hooks.h"
#include "cc/assembly.h"
#include "cc/escape.h"
#include "cc/hook.h"
#include "cc/label.h"

// ---------------------------------------------------------------- intrinsics

static const struct {
    const char *name;
    uint8_t op; // enum tsl_sym_function
} functions[] = {
    {"llvm.abs.", TSL_SYM_ABS},   {"llvm.smax.", TSL_SYM_SMAX}, {"llvm.smin.", TSL_SYM_SMIN},
    {"llvm.umax.", TSL_SYM_UMAX}, {"llvm.umin.", TSL_SYM_UMIN}, {"llvm.bswap.", TSL_SYM_BSWAP},
    {"llvm.fshl.", TSL_SYM_FSHL}, {"llvm.fshr.", TSL_SYM_FSHR}, {"llvm.ctpop.", TSL_SYM_CTPOP},
    {"llvm.ctlz.", TSL_SYM_CTLZ}, {"llvm.cttz.", TSL_SYM_CTTZ},
};

static const struct {
    const char *name;
    uint8_t op, is_signed;
} overflows[] = {
    {"llvm.sadd.with.overflow.", TSL_EXPR_ADD, 1}, {"llvm.uadd.with.overflow.", TSL_EXPR_ADD, 0},
    {"llvm.ssub.with.overflow.", TSL_EXPR_SUB, 1}, {"llvm.usub.with.overflow.", TSL_EXPR_SUB, 0},
    {"llvm.smul.with.overflow.", TSL_EXPR_MUL, 1}, {"llvm.umul.with.overflow.", TSL_EXPR_MUL, 0},
};

static void lose_arguments(tsl_weaver *w, LLVMValueRef call) {
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
        tsl_symbolic_lose(w, call, LLVMGetOperand(call, i));
}

// The function has up to three operands of one width.
static void visit_function(tsl_weaver *w, LLVMValueRef call, unsigned op) {
    unsigned n = LLVMGetNumArgOperands(call);
    if (!tsl_label_type(LLVMTypeOf(call)) || tsl_label_width(w, LLVMTypeOf(call)) > 64) {
        lose_arguments(w, call);
        return;
    }
    unsigned width = tsl_label_width(w, LLVMTypeOf(call));
    LLVMValueRef label[3], value[3];
    bool any = false;
    tsl_hook_after(w, call);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef v = i < n ? LLVMGetOperand(call, i) : NULL;
        bool counts =
            v && tsl_label_type(LLVMTypeOf(v)) && tsl_label_width(w, LLVMTypeOf(v)) == width;
        label[i] = counts ? tsl_label_of(w, v) : w->labels.zero;
        value[i] = counts ? tsl_hook_low(w, v) : tsl_u64(w, 0);
        any |= !tsl_label_is_zero(label[i]);
    }
    if (!any)
        return;
    tsl_label_set(w, call,
                  TSL_INSERT(w, sym_function, tsl_u32(w, TSL_SYM_CODE(op, width, 0)), label[0],
                             label[1], label[2], value[0], value[1], value[2]));
}

static void visit_overflow(tsl_weaver *w, LLVMValueRef call, unsigned op, bool is_signed) {
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    unsigned width = tsl_label_width(w, LLVMTypeOf(a));
    LLVMValueRef la = tsl_label_of(w, a), lb = tsl_label_of(w, b);
    if (width > 64)
        lose_arguments(w, call);
    if (width > 64 || (tsl_label_is_zero(la) && tsl_label_is_zero(lb)))
        return;
    tsl_hook_after(w, call);
    tsl_label_set_element(w, call, 0, tsl_symbolic_binary(w, TSL_SYM_CODE(op, width, 0), a, b));
    unsigned code = TSL_SYM_CODE(op, width, is_signed ? TSL_SYM_SIGNED : 0);
    tsl_label_set_element(w, call, 1,
                          TSL_INSERT(w, sym_overflows, tsl_u32(w, code), la, lb, tsl_hook_low(w, a),
                                     tsl_hook_low(w, b)));
}

static void visit_computing(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (tsl_llvm_starts(callee, functions[i].name)) {
            visit_function(w, call, functions[i].op);
            return;
        }
    for (size_t i = 0; i < sizeof overflows / sizeof *overflows; i++)
        if (tsl_llvm_starts(callee, overflows[i].name)) {
            visit_overflow(w, call, overflows[i].op, overflows[i].is_signed);
            return;
        }
    lose_arguments(w, call);
}

// The length is fixed like an address, because it decides which memory the copy touches.
static void visit_copy(tsl_weaver *w, LLVMValueRef call, bool has_source) {
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    LLVMValueRef size = LLVMGetOperand(call, 2);
    LLVMValueRef length = tsl_label_of(w, size);
    tsl_symbolic_address(w, call, to, 1, TSL_SYM_STORES);
    if (has_source)
        tsl_symbolic_address(w, call, from, 1, TSL_SYM_STORES);
    tsl_hook_before(w, call);
    LLVMValueRef wide = LLVMBuildIntCast2(w->builder, size, w->i64, 0, "");
    if (!tsl_label_is_zero(length))
        TSL_INSERT(w, sym_length, length, wide, tsl_hook_site_of(w, call, TSL_SITE_ACCESS));
    tsl_hook_after(w, call);
    if (has_source)
        TSL_INSERT(w, sym_copy, to, from, wide);
    else
        TSL_INSERT(w, sym_fill, to, tsl_label_of(w, from), wide);
}

// Does the intrinsic only tell the compiler something, or not depend on its arguments' values?
static bool computes_nothing(LLVMValueRef call, LLVMValueRef callee) {
    return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind ||
           tsl_llvm_starts(callee, "llvm.objectsize.") ||
           tsl_llvm_starts(callee, "llvm.is.constant.");
}

static void visit_intrinsic(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee) {
    if (tsl_llvm_copies(callee) || tsl_llvm_fills(callee))
        visit_copy(w, call, tsl_llvm_copies(callee));
    else if (tsl_llvm_starts(callee, "llvm.expect."))
        tsl_label_set(w, call, tsl_label_of(w, LLVMGetOperand(call, 0)));
    else if (tsl_llvm_starts(callee, "llvm.va_start") && w->labels.variadic) {
        tsl_hook_after(w, call);
        TSL_INSERT(w, sym_va_start, LLVMGetOperand(call, 0), w->labels.variadic,
                   tsl_u32(w, LLVMCountParams(w->function)));
    } else if (!computes_nothing(call, callee))
        visit_computing(w, call, callee);
}

// ---------------------------------------------------------------- arguments

static LLVMValueRef or_labels(tsl_weaver *w, LLVMValueRef any, LLVMValueRef label) {
    return tsl_label_is_zero(label) ? any
           : tsl_label_is_zero(any) ? label
                                    : LLVMBuildOr(w->builder, any, label, "");
}

static bool is_scalar(LLVMValueRef v) { return tsl_label_type(LLVMTypeOf(v)); }

// Loses the labels of arguments for which none is passed.
static void lose_far_arguments(tsl_weaver *w, LLVMValueRef call, unsigned fixed) {
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (i >= TSL_SYM_ARGS || (i >= fixed && tsl_label_is_float(LLVMTypeOf(v))))
            tsl_symbolic_lose(w, call, v);
    }
}

// Passes labels by place: first those of fixed arguments, then those of variadic arguments that are
// passed like integers, in the order in which va_arg finds them.
static void pass_arguments(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee) {
    unsigned n = LLVMGetNumArgOperands(call);
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call)), place = 0;
    LLVMValueRef any = w->labels.zero;
    lose_far_arguments(w, call, fixed);
    tsl_hook_before(w, call);
    for (unsigned i = 0; i < n && i < TSL_SYM_ARGS; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        LLVMTypeRef copied = tsl_llvm_operand_type(call, i, "byval");
        if (copied) {
            LLVMValueRef size = tsl_u64(w, LLVMABISizeOfType(w->layout, copied));
            any = or_labels(w, any, TSL_INSERT(w, sym_byval, tsl_u32(w, i), v, size));
        } else if (is_scalar(v))
            any = or_labels(w, any, tsl_label_of(w, v));
    }
    if (tsl_label_is_zero(any))
        return;
    for (unsigned i = 0; i < n && place < TSL_SYM_ARGS; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        bool counts = is_scalar(v) && !tsl_llvm_operand_type(call, i, "byval");
        if (i >= fixed && (!counts || tsl_label_is_float(LLVMTypeOf(v))))
            continue;
        TSL_INSERT(w, sym_arg, any, tsl_u32(w, place),
                   counts ? tsl_label_of(w, v) : w->labels.zero);
        place++;
    }
    TSL_INSERT(w, sym_args, any, callee, tsl_u32(w, place));
}

// Functions that only output their arguments and return at most a count.  `to` is the number of the
// argument that is the stream or descriptor; -1: it is standard output or similar.
typedef struct printing {
    const char *name;
    int to;
} printing;

static const printing *printing_by(LLVMValueRef call, LLVMValueRef callee) {
    static const printing all[] = {{"printf", -1},  {"fprintf", 0}, {"puts", -1},  {"fputs", 1},
                                   {"putchar", -1}, {"fputc", 1},   {"putc", 1},   {"vprintf", -1},
                                   {"vfprintf", 0}, {"fwrite", 3},  {"write", 0},  {"perror", -1},
                                   {"dprintf", 0},  {"syslog", -1}, {"fflush", -1}};
    const char *name = tsl_llvm_name(callee);
    if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee) || LLVMGetFirstUse(call))
        return NULL;
    if (tsl_llvm_starts(callee, "__teasel_")) // abi/redirect.def
        name += strlen("__teasel_");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(name, all[i].name))
            return &all[i];
    return NULL;
}

static bool is_standard(LLVMValueRef to) {
    if (LLVMIsAConstantInt(to))
        return LLVMConstIntGetZExtValue(to) == 1 || LLVMConstIntGetZExtValue(to) == 2;
    if (!LLVMIsALoadInst(to) || !LLVMIsAGlobalVariable(LLVMGetOperand(to, 0)))
        return false;
    const char *name = tsl_llvm_name(LLVMGetOperand(to, 0));
    return !strcmp(name, "stdout") || !strcmp(name, "stderr");
}

// Tells the runtime about labels in output that may be read again, from a file or a pipe.
static void tell_leaving(tsl_weaver *w, LLVMValueRef call, const printing *how) {
    if (how->to < 0 || is_standard(LLVMGetOperand(call, (unsigned)how->to)))
        return;
    tsl_hook_before(w, call);
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if ((int)i == how->to || !is_scalar(v) || (LLVMIsConstant(v) && !LLVMIsAGlobalVariable(v)))
            continue;
        bool points = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
        TSL_INSERT(w, sym_leaves, tsl_label_of(w, v), points ? v : LLVMConstNull(w->ptr));
    }
}

static void hand_outside(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee) {
    LLVMValueRef descriptor = LLVMIsAFunction(callee) ? tsl_externs_find(w, callee) : NULL;
    if (!descriptor)
        return;
    tsl_hook_before(w, call);
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        bool points = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && is_scalar(v);
        if (points && !LLVMIsAConstantPointerNull(v) && !LLVMIsAFunction(v))
            TSL_INSERT(w, sym_outside, descriptor, v, tsl_hook_site(w, 0));
    }
}

static void take_result(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee) {
    unsigned n = tsl_label_count(LLVMTypeOf(call));
    if (!n)
        return;
    tsl_hook_after(w, call);
    LLVMValueRef any = TSL_INSERT(w, sym_returned, callee);
    for (unsigned i = 0; i < n; i++)
        tsl_label_set_element(w, call, i, TSL_INSERT(w, sym_result, any, tsl_u32(w, i)));
}

// Assembly does not use the labels of operands in memory, and what it writes there has no label.
static void lose_places(tsl_weaver *w, LLVMValueRef call) {
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++) {
        LLVMTypeRef type = tsl_assembly_place(call, i);
        if (!type || LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
            continue;
        LLVMValueRef p = LLVMGetOperand(call, i),
                     size = tsl_u64(w, LLVMStoreSizeOfType(w->layout, type));
        if (!tsl_assembly_writes(call, i)) {
            tsl_hook_before(w, call);
            TSL_INSERT(w, sym_unfollowed, p, size, tsl_hook_site(w, 0));
        } else if (LLVMIsACallInst(call)) {
            tsl_hook_after(w, call);
            TSL_INSERT(w, sym_store, p, size, w->labels.zero);
        }
    }
}

// Visits any call: of assembly, an intrinsic, a function of the program or of another object.
void tsl_symcall_call(tsl_weaver *w, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        lose_arguments(w, call);
        lose_places(w, call);
        return;
    }
    if (tsl_llvm_is_intrinsic(callee)) {
        visit_intrinsic(w, call, callee);
        return;
    }
    if (!LLVMIsConstant(callee))
        tsl_symbolic_address(w, call, callee, 1, TSL_SYM_CALLS);
    const printing *prints = printing_by(call, callee);
    if (prints)
        tell_leaving(w, call, prints);
    else {
        hand_outside(w, call, callee);
        pass_arguments(w, call, callee);
    }
    take_result(w, call, callee);
}

// ---------------------------------------------------------------- the other side

// The place after the leading allocas of the entry block, but before the first whose size is
// computed: the size may be a parameter, and the alloca then needs its label.
static LLVMValueRef entry_place(tsl_weaver *w) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function));
    while (i && LLVMIsAAllocaInst(i) && LLVMIsConstant(LLVMGetOperand(i, 0)))
        i = LLVMGetNextInstruction(i);
    return i;
}

void tsl_symcall_enter(tsl_weaver *w) {
    LLVMValueRef f = w->function;
    unsigned n = LLVMCountParams(f);
    bool variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f));
    bool wanted = variadic;
    for (unsigned i = 0; i < n; i++)
        wanted |= is_scalar(LLVMGetParam(f, i));
    w->labels.variadic = NULL;
    if (!wanted)
        return;
    tsl_hook_before(w, entry_place(w));
    LLVMValueRef any = TSL_INSERT(w, sym_enter, f);
    for (unsigned i = 0; i < n && i < TSL_SYM_ARGS; i++) {
        LLVMValueRef p = LLVMGetParam(f, i);
        LLVMTypeRef copied = tsl_llvm_param_type(f, i, "byval");
        if (copied)
            TSL_INSERT(w, sym_byval_in, any, tsl_u32(w, i), p,
                       tsl_u64(w, LLVMABISizeOfType(w->layout, copied)));
        else if (is_scalar(p))
            tsl_label_set(w, p, TSL_INSERT(w, sym_param, any, tsl_u32(w, i)));
    }
    if (variadic)
        w->labels.variadic = TSL_INSERT(w, sym_variadic, any, tsl_u32(w, n));
}

void tsl_symcall_return(tsl_weaver *w, LLVMValueRef ret) {
    LLVMValueRef value = LLVMGetNumOperands(ret) ? LLVMGetOperand(ret, 0) : NULL;
    unsigned n = value ? tsl_label_count(LLVMTypeOf(value)) : 0;
    LLVMValueRef any = w->labels.zero;
    if (!n)
        return;
    tsl_hook_before(w, ret);
    for (unsigned i = 0; i < n; i++)
        any = or_labels(w, any, tsl_label_element(w, value, i));
    for (unsigned i = 0; i < n && !tsl_label_is_zero(any); i++)
        TSL_INSERT(w, sym_give, any, tsl_u32(w, i), tsl_label_element(w, value, i));
    TSL_INSERT(w, sym_return, any, w->function);
}
