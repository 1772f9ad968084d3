// Computes labels beside values; see symbolic.h.
#include "cc/symbolic.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "abi/hooks.h"
#include "cc/escape.h"
#include "cc/hook.h"
#include "cc/label.h"
#include "cc/memory.h"
#include "cc/symcall.h"
#include "cc/trap.h"

// ---------------------------------------------------------------- operators

// The result of `inst` has no label although its operand has one: branches that depend on it are
// not explored.  The hook tells the runtime.
void tsl_symbolic_lose(tsl_weaver *w, LLVMValueRef inst, LLVMValueRef operand) {
    LLVMValueRef label = tsl_label_of(w, operand);
    if (tsl_label_is_zero(label))
        return;
    bool is_float = tsl_label_is_float(LLVMTypeOf(operand)) || tsl_label_is_float(LLVMTypeOf(inst));
    tsl_hook_before(w, inst);
    TSL_INSERT(w, sym_lost, label, tsl_u32(w, is_float ? TSL_LOST_FLOAT : TSL_LOST_OTHER),
               tsl_hook_site_of(w, inst, TSL_SITE_OTHER));
}

static void lose_operands(tsl_weaver *w, LLVMValueRef inst) {
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(inst); i < n; i++)
        tsl_symbolic_lose(w, inst, LLVMGetOperand(inst, i));
}

static unsigned binary_op(LLVMOpcode opcode) {
    static const uint8_t ops[] = {
        [LLVMAdd] = TSL_EXPR_ADD,   [LLVMSub] = TSL_EXPR_SUB,   [LLVMMul] = TSL_EXPR_MUL,
        [LLVMUDiv] = TSL_EXPR_UDIV, [LLVMSDiv] = TSL_EXPR_SDIV, [LLVMURem] = TSL_EXPR_UREM,
        [LLVMSRem] = TSL_EXPR_SREM, [LLVMAnd] = TSL_EXPR_AND,   [LLVMOr] = TSL_EXPR_OR,
        [LLVMXor] = TSL_EXPR_XOR,   [LLVMShl] = TSL_EXPR_SHL,   [LLVMLShr] = TSL_EXPR_LSHR,
        [LLVMAShr] = TSL_EXPR_ASHR,
    };
    _Static_assert(TSL_EXPR_NONE == 0, "what is not in the table is no such operator");
    return opcode < sizeof ops ? ops[opcode] : TSL_EXPR_NONE;
}

static bool may_trap(unsigned op) {
    return op == TSL_EXPR_UDIV || op == TSL_EXPR_SDIV || op == TSL_EXPR_UREM || op == TSL_EXPR_SREM;
}

static bool may_overflow(LLVMValueRef inst, unsigned op) {
    return (op == TSL_EXPR_ADD || op == TSL_EXPR_SUB || op == TSL_EXPR_MUL || op == TSL_EXPR_SHL) &&
           LLVMGetNSW(inst);
}

LLVMValueRef tsl_symbolic_binary(tsl_weaver *w, unsigned code, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef la = tsl_label_of(w, a), lb = tsl_label_of(w, b);
    if (tsl_label_is_zero(la) && tsl_label_is_zero(lb))
        return w->labels.zero;
    LLVMValueRef c = tsl_u32(w, code);
    if (tsl_label_width(w, LLVMTypeOf(a)) > 64)
        return TSL_INSERT(w, sym_wide, c, la, lb, tsl_hook_low(w, a), tsl_hook_high(w, a),
                          tsl_hook_low(w, b), tsl_hook_high(w, b));
    return TSL_INSERT(w, sym_binary, c, la, lb, tsl_hook_low(w, a), tsl_hook_low(w, b));
}

// Could the division trap, or the sum overflow, with other inputs?  Numbers wider than 64 bits trap
// only when divided by zero, which is recorded like a branch.
static void ask_for_trap(tsl_weaver *w, LLVMValueRef inst, unsigned op, unsigned width) {
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    LLVMValueRef site = tsl_hook_site_of(w, inst, TSL_SITE_OTHER);
    if (width <= 64) {
        TSL_INSERT(w, sym_check, tsl_u32(w, TSL_SYM_CODE(op, width, 0)), tsl_label_of(w, a),
                   tsl_label_of(w, b), tsl_hook_low(w, a), tsl_hook_low(w, b), site);
        return;
    }
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(b));
    LLVMValueRef is_zero = LLVMBuildICmp(w->builder, LLVMIntEQ, b, zero, "");
    TSL_INSERT(w, sym_branch, tsl_symbolic_binary(w, TSL_SYM_CODE(TSL_EXPR_EQ, width, 0), b, zero),
               LLVMBuildZExt(w->builder, is_zero, w->i32, ""), site);
}

static void visit_binary(tsl_weaver *w, LLVMValueRef inst, unsigned op) {
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    unsigned width = tsl_label_width(w, LLVMTypeOf(inst));
    bool with_sign = op == TSL_EXPR_SDIV || op == TSL_EXPR_SREM;
    bool checked =
        may_trap(op) ? !tsl_trap_is_harmless(b, with_sign) : width <= 64 && may_overflow(inst, op);
    LLVMValueRef la = tsl_label_of(w, a), lb = tsl_label_of(w, b);
    if (tsl_label_is_zero(la) && tsl_label_is_zero(lb))
        return;
    // A trap must be recorded before it happens; everything else is recorded after the result.
    if (may_trap(op))
        tsl_hook_before(w, inst);
    else
        tsl_hook_after(w, inst);
    if (checked)
        ask_for_trap(w, inst, op, width);
    tsl_label_set(w, inst, tsl_symbolic_binary(w, TSL_SYM_CODE(op, width, 0), a, b));
}

// ---------------------------------------------------------------- comparisons

static void visit_compare(tsl_weaver *w, LLVMValueRef inst) {
    static const struct {
        uint8_t op, swap, invert;
    } how[] = {
        [0] = {TSL_EXPR_EQ, 0, 0},
        [LLVMIntNE - LLVMIntEQ] = {TSL_EXPR_EQ, 0, 1},
        [LLVMIntUGT - LLVMIntEQ] = {TSL_EXPR_ULT, 1, 0},
        [LLVMIntUGE - LLVMIntEQ] = {TSL_EXPR_ULE, 1, 0},
        [LLVMIntULT - LLVMIntEQ] = {TSL_EXPR_ULT, 0, 0},
        [LLVMIntULE - LLVMIntEQ] = {TSL_EXPR_ULE, 0, 0},
        [LLVMIntSGT - LLVMIntEQ] = {TSL_EXPR_SLT, 1, 0},
        [LLVMIntSGE - LLVMIntEQ] = {TSL_EXPR_SLE, 1, 0},
        [LLVMIntSLT - LLVMIntEQ] = {TSL_EXPR_SLT, 0, 0},
        [LLVMIntSLE - LLVMIntEQ] = {TSL_EXPR_SLE, 0, 0},
    };
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    if (!tsl_label_type(LLVMTypeOf(a)))
        return;
    unsigned p = (unsigned)(LLVMGetICmpPredicate(inst) - LLVMIntEQ);
    unsigned width = tsl_label_width(w, LLVMTypeOf(a));
    unsigned code = TSL_SYM_CODE(how[p].op, width, how[p].invert ? TSL_SYM_INVERT : 0);
    tsl_hook_after(w, inst);
    tsl_label_set(w, inst,
                  how[p].swap ? tsl_symbolic_binary(w, code, b, a)
                              : tsl_symbolic_binary(w, code, a, b));
}

// ---------------------------------------------------------------- casts

static LLVMValueRef cast(tsl_weaver *w, LLVMValueRef from, unsigned op, unsigned width) {
    LLVMValueRef label = tsl_label_of(w, from);
    unsigned old = tsl_label_width(w, LLVMTypeOf(from));
    if (tsl_label_is_zero(label) || old == width)
        return label;
    return TSL_INSERT(w, sym_cast, tsl_u32(w, TSL_SYM_CODE(op, width, old)), label);
}

static void visit_cast(tsl_weaver *w, LLVMValueRef inst, LLVMOpcode opcode) {
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    LLVMTypeRef to = LLVMTypeOf(inst);
    if (!tsl_label_type(LLVMTypeOf(from)))
        return;
    if (!tsl_label_type(to)) {
        tsl_symbolic_lose(w, inst, from);
        return;
    }
    tsl_hook_after(w, inst);
    unsigned width = tsl_label_width(w, to), old = tsl_label_width(w, LLVMTypeOf(from));
    unsigned op = width < old          ? TSL_EXPR_EXTRACT
                  : opcode == LLVMSExt ? TSL_EXPR_SEXT
                                       : TSL_EXPR_ZEXT;
    tsl_label_set(w, inst, cast(w, from, op, width));
}

// ---------------------------------------------------------------- choosing

static void visit_select(tsl_weaver *w, LLVMValueRef inst) {
    LLVMValueRef c = LLVMGetOperand(inst, 0), a = LLVMGetOperand(inst, 1);
    LLVMValueRef b = LLVMGetOperand(inst, 2);
    LLVMTypeRef type = LLVMTypeOf(inst);
    if (!tsl_label_type(type) || !tsl_label_type(LLVMTypeOf(c)))
        return;
    LLVMValueRef lc = tsl_label_of(w, c), la = tsl_label_of(w, a), lb = tsl_label_of(w, b);
    if (tsl_label_is_zero(lc) && tsl_label_is_zero(la) && tsl_label_is_zero(lb))
        return;
    tsl_hook_after(w, inst);
    LLVMValueRef width = tsl_u32(w, tsl_label_width(w, type));
    LLVMValueRef cond = LLVMBuildZExt(w->builder, c, w->i32, "");
    tsl_label_set(w, inst,
                  TSL_INSERT(w, sym_select, width, lc, la, lb, cond, tsl_hook_low(w, a),
                             tsl_hook_high(w, a), tsl_hook_low(w, b), tsl_hook_high(w, b)));
}

// The incoming labels are filled in later (fill_phi), because some are not made yet.
static void visit_phi(tsl_weaver *w, LLVMValueRef phi) {
    unsigned n = tsl_label_count(LLVMTypeOf(phi));
    for (unsigned i = 0; i < n; i++) {
        tsl_hook_before(w, phi);
        tsl_label_set_element(w, phi, i, LLVMBuildPhi(w->builder, w->i32, ""));
    }
}

static void fill_phi(tsl_weaver *w, LLVMValueRef phi) {
    unsigned n = tsl_label_count(LLVMTypeOf(phi));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef label = tsl_label_element(w, phi, i);
        for (unsigned k = 0, edges = LLVMCountIncoming(phi); k < edges; k++) {
            LLVMValueRef value = tsl_label_element(w, LLVMGetIncomingValue(phi, k), i);
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
            LLVMAddIncoming(label, &value, &block, 1);
        }
    }
}

// ---------------------------------------------------------------- branching

static void visit_branch(tsl_weaver *w, LLVMValueRef inst) {
    if (!LLVMIsConditional(inst))
        return;
    LLVMValueRef cond = LLVMGetCondition(inst), label = tsl_label_of(w, cond);
    if (tsl_label_is_zero(label))
        return;
    tsl_hook_before(w, inst);
    TSL_INSERT(w, sym_branch, label, LLVMBuildZExt(w->builder, cond, w->i32, ""),
               tsl_hook_site_of(w, inst, TSL_SITE_OTHER));
}

static unsigned successor_number(LLVMBasicBlockRef *seen, unsigned *n, LLVMBasicBlockRef b) {
    for (unsigned i = 0; i < *n; i++)
        if (seen[i] == b)
            return i;
    seen[*n] = b;
    return (*n)++;
}

// A table of each case's value and outcome: 0 is the default; cases to one place are one outcome.
static LLVMValueRef emit_cases(tsl_weaver *w, LLVMValueRef inst, unsigned n) {
    LLVMValueRef *rows = tsl_alloc_array(n + 1, sizeof *rows);
    LLVMBasicBlockRef *seen = tsl_alloc_array(n + 1, sizeof *seen);
    unsigned targets = 0;
    successor_number(seen, &targets, LLVMGetSwitchDefaultDest(inst));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef value = LLVMGetOperand(inst, 2 + 2 * i);
        unsigned to = successor_number(seen, &targets, LLVMGetSuccessor(inst, i + 1));
        LLVMValueRef pair[] = {tsl_u64(w, LLVMConstIntGetZExtValue(value)), tsl_u64(w, to)};
        rows[i] = LLVMConstStructInContext(w->context, pair, 2, 0);
    }
    LLVMTypeRef row = LLVMStructTypeInContext(w->context, (LLVMTypeRef[]){w->i64, w->i64}, 2, 0);
    LLVMValueRef table = LLVMConstArray2(row, rows, n);
    LLVMValueRef global = tsl_llvm_add_table(w->module, "__teasel_cases", table);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    tsl_free(rows);
    tsl_free(seen);
    return global;
}

static void visit_switch(tsl_weaver *w, LLVMValueRef inst) {
    LLVMValueRef value = LLVMGetOperand(inst, 0), label = tsl_label_of(w, value);
    unsigned n = LLVMGetNumSuccessors(inst) - 1, width = tsl_label_width(w, LLVMTypeOf(value));
    if (tsl_label_is_zero(label) || width > 64 || n == 0)
        return;
    LLVMValueRef table = emit_cases(w, inst, n);
    tsl_hook_before(w, inst);
    TSL_INSERT(w, sym_switch, label, tsl_hook_low(w, value), table, tsl_u32(w, n),
               tsl_u32(w, width), tsl_hook_site_of(w, inst, TSL_SITE_OTHER));
}

// ---------------------------------------------------------------- memory

// The variable that an address was computed from, if it is known; else null.
static LLVMValueRef known_object(tsl_weaver *w, LLVMValueRef p, uint64_t *size, unsigned *use) {
    LLVMValueRef base = tsl_escape_base(p);
    if (LLVMIsAGlobalVariable(base) && !LLVMIsThreadLocal(base) && base != p) {
        LLVMTypeRef type = LLVMGlobalGetValueType(base);
        *size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(w->layout, type) : 0;
        if (LLVMIsGlobalConstant(base) && *use == TSL_SYM_LOADS && !LLVMIsDeclaration(base))
            *use = TSL_SYM_LOADS_CONSTANT;
    } else if (LLVMIsAAllocaInst(base) && base != p &&
               LLVMIsAConstantInt(LLVMGetOperand(base, 0)) &&
               !tsl_memory_is_scalable(LLVMGetAllocatedType(base)))
        *size = LLVMConstIntGetZExtValue(LLVMGetOperand(base, 0)) *
                LLVMABISizeOfType(w->layout, LLVMGetAllocatedType(base));
    return *size ? base : LLVMConstNull(w->ptr);
}

// An address that depends on inputs is fixed before the access becomes pending.
void tsl_symbolic_address(tsl_weaver *w, LLVMValueRef inst, LLVMValueRef p, uint64_t size,
                          unsigned use) {
    LLVMValueRef label = tsl_label_of(w, p);
    if (tsl_label_is_zero(label))
        return;
    uint64_t object_size = 0;
    LLVMValueRef object = known_object(w, p, &object_size, &use);
    tsl_hook_before(w, inst);
    TSL_INSERT(w, sym_address, label, p, tsl_u64(w, size), tsl_u32(w, use),
               tsl_hook_site_of(w, inst, TSL_SITE_ACCESS), object, tsl_u64(w, object_size));
}

// Vectors, long double and so on have no labels, but the memory they are loaded from may have.
static void tell_unfollowed(tsl_weaver *w, LLVMValueRef inst, LLVMValueRef p, LLVMTypeRef type) {
    tsl_hook_before(w, inst);
    TSL_INSERT(w, sym_unfollowed, p, tsl_u64(w, tsl_memory_size(w, type)),
               tsl_hook_site_of(w, inst, TSL_SITE_ACCESS));
}

static void visit_load(tsl_weaver *w, LLVMValueRef inst) {
    LLVMValueRef p = LLVMGetOperand(inst, 0);
    LLVMTypeRef type = LLVMTypeOf(inst);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != 0)
        return;
    bool labelled = tsl_label_type(type);
    tsl_symbolic_address(w, inst, p, tsl_memory_size(w, type),
                         labelled ? TSL_SYM_LOADS : TSL_SYM_STORES);
    if (!labelled) {
        tell_unfollowed(w, inst, p, type);
        return;
    }
    if (tsl_llvm_is_constant(tsl_escape_base(p)) && tsl_label_is_zero(tsl_label_of(w, p)))
        return;
    tsl_hook_after(w, inst);
    LLVMValueRef width = tsl_u32(w, tsl_label_width(w, type));
    tsl_label_set(w, inst,
                  TSL_INSERT(w, sym_load, p, width, tsl_label_of(w, p), tsl_hook_low(w, inst),
                             tsl_hook_high(w, inst)));
}

static void visit_store(tsl_weaver *w, LLVMValueRef inst) {
    LLVMValueRef value = LLVMGetOperand(inst, 0), p = LLVMGetOperand(inst, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t size = tsl_memory_size(w, type);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != 0 || !size)
        return;
    tsl_symbolic_address(w, inst, p, size, TSL_SYM_STORES);
    tsl_hook_after(w, inst);
    LLVMValueRef label = tsl_label_type(type) ? tsl_label_of(w, value) : w->labels.zero;
    TSL_INSERT(w, sym_store, p, tsl_u64(w, size), label);
}

static unsigned rmw_op(LLVMAtomicRMWBinOp op) {
    switch (op) {
    case LLVMAtomicRMWBinOpXchg:
        return TSL_EXPR_NONE;
    case LLVMAtomicRMWBinOpAdd:
        return TSL_EXPR_ADD;
    case LLVMAtomicRMWBinOpSub:
        return TSL_EXPR_SUB;
    case LLVMAtomicRMWBinOpAnd:
        return TSL_EXPR_AND;
    case LLVMAtomicRMWBinOpOr:
        return TSL_EXPR_OR;
    case LLVMAtomicRMWBinOpXor:
        return TSL_EXPR_XOR;
    default:
        return TSL_EXPR_COUNT; // not followed
    }
}

static void visit_rmw(tsl_weaver *w, LLVMValueRef inst) {
    LLVMValueRef p = LLVMGetOperand(inst, 0), value = LLVMGetOperand(inst, 1);
    LLVMTypeRef type = LLVMTypeOf(inst);
    if (!tsl_label_type(type) || tsl_label_width(w, type) > 64) {
        tell_unfollowed(w, inst, p, type);
        lose_operands(w, inst);
        return;
    }
    unsigned op = rmw_op(LLVMGetAtomicRMWBinOp(inst)), width = tsl_label_width(w, type);
    tsl_symbolic_address(w, inst, p, width / 8, TSL_SYM_STORES);
    tsl_hook_after(w, inst);
    tsl_label_set(w, inst,
                  TSL_INSERT(w, sym_rmw, tsl_u32(w, TSL_SYM_CODE(op, width, 0)), p,
                             tsl_label_of(w, value), tsl_hook_low(w, inst),
                             tsl_hook_low(w, value)));
}

// The result is a struct: the old value, and whether it stored.
static void visit_cas(tsl_weaver *w, LLVMValueRef inst) {
    LLVMValueRef p = LLVMGetOperand(inst, 0), expected = LLVMGetOperand(inst, 1);
    LLVMValueRef wanted = LLVMGetOperand(inst, 2);
    LLVMTypeRef type = LLVMTypeOf(expected);
    if (!tsl_label_type(type) || tsl_label_width(w, type) > 64) {
        tell_unfollowed(w, inst, p, type);
        lose_operands(w, inst);
        return;
    }
    unsigned width = tsl_label_width(w, type);
    tsl_symbolic_address(w, inst, p, width / 8, TSL_SYM_STORES);
    tsl_hook_after(w, inst);
    LLVMValueRef old = LLVMBuildExtractValue(w->builder, inst, 0, "");
    LLVMValueRef stored = LLVMBuildExtractValue(w->builder, inst, 1, "");
    LLVMValueRef label = TSL_INSERT(
        w, sym_cas, tsl_u32(w, width), p, tsl_label_of(w, expected), tsl_label_of(w, wanted),
        tsl_hook_low(w, old), tsl_hook_low(w, expected),
        LLVMBuildZExt(w->builder, stored, w->i32, ""), tsl_hook_site_of(w, inst, TSL_SITE_ACCESS));
    tsl_label_set_element(w, inst, 0, label); // element 1 needs none: the hook fixes its value
}

// ---------------------------------------------------------------- addresses

static LLVMValueRef add_index(tsl_weaver *w, LLVMValueRef label, LLVMValueRef base,
                              LLVMValueRef index, uint64_t scale, LLVMValueRef *offset) {
    LLVMValueRef wide = LLVMBuildIntCast2(w->builder, index, w->i64, 1, "");
    LLVMValueRef li = tsl_label_of(w, index), step = tsl_u64(w, scale);
    LLVMValueRef at = LLVMBuildAdd(w->builder, base, *offset, "");
    unsigned width = tsl_label_width(w, LLVMTypeOf(index));
    *offset = LLVMBuildAdd(w->builder, *offset, LLVMBuildMul(w->builder, wide, step, ""), "");
    if (tsl_label_is_zero(label) && tsl_label_is_zero(li))
        return label;
    if (LLVMIsAConstantInt(index) && LLVMIsNull(index))
        return label;
    return TSL_INSERT(w, sym_gep, label, li, at, wide, step, tsl_u32(w, width));
}

static void visit_gep(tsl_weaver *w, LLVMValueRef inst) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
    LLVMValueRef p = LLVMGetOperand(inst, 0), label = tsl_label_of(w, p);
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    if (!tsl_label_type(LLVMTypeOf(inst)) || !tsl_label_type(LLVMTypeOf(p)))
        return;
    bool any = !tsl_label_is_zero(label);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(inst, i);
        if (!tsl_label_type(LLVMTypeOf(index)))
            return;
        any |= !tsl_label_is_zero(tsl_label_of(w, index));
    }
    if (!any)
        return;
    tsl_hook_after(w, inst);
    LLVMValueRef base = LLVMBuildPtrToInt(w->builder, p, w->i64, "");
    LLVMValueRef offset = tsl_u64(w, 0);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(inst, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            uint64_t at = LLVMOffsetOfElement(w->layout, type, field);
            label = add_index(w, label, base, tsl_u64(w, at), 1, &offset);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        label = add_index(w, label, base, index, LLVMABISizeOfType(w->layout, type), &offset);
    }
    tsl_label_set(w, inst, label);
}

// ---------------------------------------------------------------- structs in registers

static void visit_extract(tsl_weaver *w, LLVMValueRef inst) {
    if (LLVMGetNumIndices(inst) == 1 && tsl_label_type(LLVMTypeOf(inst)))
        tsl_label_set(w, inst,
                      tsl_label_element(w, LLVMGetOperand(inst, 0), LLVMGetIndices(inst)[0]));
}

static void visit_insert(tsl_weaver *w, LLVMValueRef inst) {
    LLVMValueRef old = LLVMGetOperand(inst, 0), value = LLVMGetOperand(inst, 1);
    unsigned n = tsl_label_count(LLVMTypeOf(inst));
    if (LLVMGetNumIndices(inst) != 1)
        return;
    for (unsigned i = 0; i < n; i++)
        tsl_label_set_element(w, inst, i,
                              i == LLVMGetIndices(inst)[0] ? tsl_label_of(w, value)
                                                           : tsl_label_element(w, old, i));
}

// ---------------------------------------------------------------- walking

static void visit(tsl_weaver *w, LLVMValueRef inst) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    unsigned op = binary_op(opcode);
    if (op != TSL_EXPR_NONE) {
        if (tsl_label_type(LLVMTypeOf(inst)))
            visit_binary(w, inst, op);
        return;
    }
    switch (opcode) {
    case LLVMICmp:
        visit_compare(w, inst);
        break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        visit_cast(w, inst, opcode);
        break;
    case LLVMFreeze:
        tsl_label_set(w, inst, tsl_label_of(w, LLVMGetOperand(inst, 0)));
        break;
    case LLVMSelect:
        visit_select(w, inst);
        break;
    case LLVMPHI:
        visit_phi(w, inst);
        break;
    case LLVMBr:
        visit_branch(w, inst);
        break;
    case LLVMSwitch:
        visit_switch(w, inst);
        break;
    case LLVMLoad:
        visit_load(w, inst);
        break;
    case LLVMStore:
        visit_store(w, inst);
        break;
    case LLVMAtomicRMW:
        visit_rmw(w, inst);
        break;
    case LLVMAtomicCmpXchg:
        visit_cas(w, inst);
        break;
    case LLVMGetElementPtr:
        visit_gep(w, inst);
        break;
    case LLVMExtractValue:
        visit_extract(w, inst);
        break;
    case LLVMInsertValue:
        visit_insert(w, inst);
        break;
    case LLVMCall:
        tsl_symcall_call(w, inst);
        break;
    case LLVMRet:
        tsl_symcall_return(w, inst);
        break;
    default:
        lose_operands(w, inst);
        break;
    }
}

void tsl_symbolic_function(tsl_weaver *w) {
    tsl_blocks blocks = {0};
    tsl_values insts = {0}, phis = {0};
    tsl_labels_clear(w);
    tsl_llvm_order(w->function, &blocks);
    for (size_t b = 0; b < blocks.len; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks.data[b]); i;
             i = LLVMGetNextInstruction(i)) {
            tsl_vec_push(&insts, i);
            if (LLVMGetInstructionOpcode(i) == LLVMPHI)
                tsl_vec_push(&phis, i);
        }
    tsl_symcall_enter(w);
    for (size_t i = 0; i < insts.len; i++)
        visit(w, insts.data[i]);
    for (size_t i = 0; i < phis.len; i++)
        fill_phi(w, phis.data[i]);
    tsl_labels_clear(w);
    tsl_vec_drop(&phis);
    tsl_vec_drop(&insts);
    tsl_vec_drop(&blocks);
}
