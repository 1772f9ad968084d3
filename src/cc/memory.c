// Announces instructions that touch memory; see memory.h.
#include "cc/memory.h"

#include "abi/hooks.h"
#include "cc/escape.h"
#include "cc/hook.h"
#include "cc/trap.h"

bool tsl_memory_is_scalable(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind;
}

// ---------------------------------------------------------------- plain and atomic

// Reading a constant is no event, because nothing writes it.
static bool reads_constant(LLVMValueRef load) {
    LLVMValueRef base = tsl_escape_base(LLVMGetOperand(load, 0));
    return tsl_llvm_is_constant(base) && !LLVMIsThreadLocal(base);
}

uint64_t tsl_memory_size(const tsl_weaver *w, LLVMTypeRef type) {
    return tsl_memory_is_scalable(type) ? 0 : LLVMStoreSizeOfType(w->layout, type);
}

static void plain(tsl_weaver *w, LLVMValueRef inst, LLVMValueRef p, uint64_t size, uint32_t kind) {
    w->counts.accesses++;
    tsl_hook_before(w, inst);
    TSL_INSERT(w, access, p, tsl_hook_site_of(w, inst, TSL_SITE_ACCESS), tsl_u32(w, kind),
               tsl_u64(w, size));
}

static void atomic(tsl_weaver *w, LLVMValueRef inst, LLVMTypeRef type, uint32_t kind,
                   LLVMAtomicOrdering order) {
    bool is_store = kind == TSL_EV_AWRITE;
    LLVMValueRef p = LLVMGetOperand(inst, is_store ? 1 : 0);
    w->counts.atomics++;
    tsl_hook_before(w, inst);
    TSL_INSERT(w, atomic, p, tsl_hook_site_of(w, inst, TSL_SITE_ACCESS), tsl_u32(w, kind),
               tsl_u64(w, tsl_memory_size(w, type)), tsl_u32(w, tsl_hook_order(order)));
}

void tsl_memory_load(tsl_weaver *w, LLVMValueRef load) {
    LLVMValueRef p = LLVMGetOperand(load, 0);
    uint64_t size = tsl_memory_size(w, LLVMTypeOf(load));
    bool is_volatile = LLVMGetVolatile(load);
    LLVMAtomicOrdering order = LLVMGetOrdering(load);
    if (!size || tsl_escape_is_private(w, p))
        return;
    if (order != LLVMAtomicOrderingNotAtomic)
        atomic(w, load, LLVMTypeOf(load), TSL_EV_AREAD, order);
    else if (is_volatile || !(reads_constant(load) || LLVMGetMetadata(load, w->invariant_load)))
        plain(w, load, p, size, is_volatile ? TSL_EV_VREAD : TSL_EV_READ);
}

void tsl_memory_store(tsl_weaver *w, LLVMValueRef store) {
    LLVMValueRef p = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    uint64_t size = tsl_memory_size(w, type);
    LLVMAtomicOrdering order = LLVMGetOrdering(store);
    if (!size || tsl_escape_is_private(w, p))
        return;
    if (order != LLVMAtomicOrderingNotAtomic)
        atomic(w, store, type, TSL_EV_AWRITE, order);
    else
        plain(w, store, p, size, LLVMGetVolatile(store) ? TSL_EV_VWRITE : TSL_EV_WRITE);
}

// ---------------------------------------------------------------- read-modify-write

// Did the operation write the value that was there?  NULL: it did not, or the answer is not worth
// the code.
static LLVMValueRef is_unchanged(tsl_weaver *w, LLVMValueRef rmw) {
    LLVMValueRef by = LLVMGetOperand(rmw, 1);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(rmw));
    LLVMValueRef now;
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind)
        return NULL;
    switch (LLVMGetAtomicRMWBinOp(rmw)) {
    case LLVMAtomicRMWBinOpXchg:
        now = by;
        break;
    case LLVMAtomicRMWBinOpAnd:
        now = LLVMBuildAnd(w->builder, rmw, by, "");
        break;
    case LLVMAtomicRMWBinOpOr:
        now = LLVMBuildOr(w->builder, rmw, by, "");
        break;
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpXor:
        if (LLVMIsAConstantInt(by) && !LLVMIsNull(by))
            return NULL;
        return LLVMBuildICmp(w->builder, LLVMIntEQ, by, LLVMConstNull(LLVMTypeOf(by)), "");
    default:
        return NULL;
    }
    return LLVMBuildICmp(w->builder, LLVMIntEQ, rmw, now, "");
}

void tsl_memory_rmw(tsl_weaver *w, LLVMValueRef rmw) {
    if (tsl_escape_is_private(w, LLVMGetOperand(rmw, 0)))
        return;
    atomic(w, rmw, LLVMTypeOf(rmw), TSL_EV_RMW, LLVMGetOrdering(rmw));
    tsl_hook_after(w, rmw);
    LLVMValueRef same = is_unchanged(w, rmw);
    if (same)
        TSL_INSERT(w, rmw_result, LLVMBuildZExt(w->builder, same, w->i32, ""));
}

// ---------------------------------------------------------------- compare-and-swap

// The hook for labels that is passed `stored`, or NULL.
static LLVMValueRef label_call(const tsl_weaver *w, LLVMValueRef stored) {
    for (LLVMUseRef u = LLVMGetFirstUse(stored); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef zext = LLVMGetUser(u);
        LLVMUseRef use = LLVMIsAZExtInst(zext) ? LLVMGetFirstUse(zext) : NULL;
        LLVMValueRef call = use ? LLVMGetUser(use) : NULL;
        if (call && LLVMIsACallInst(call) && LLVMGetCalledValue(call) == w->hooks[TSL_HOOK_sym_cas])
            return call;
    }
    return NULL;
}

// A weak compare-exchange may fail for no reason.  It then stores the value that is there, and
// reports that it did not store.  Inputs still decide only whether it found what it expected.
static LLVMValueRef let_fail(tsl_weaver *w, LLVMValueRef cmpxchg, uint64_t size) {
    LLVMValueRef p = LLVMGetOperand(cmpxchg, 0), expected = LLVMGetOperand(cmpxchg, 1);
    LLVMTypeRef bit = LLVMInt1TypeInContext(w->context);
    tsl_hook_before(w, cmpxchg);
    LLVMValueRef must_fail =
        TSL_INSERT(w, cas_weak, p, tsl_hook_low(w, expected), tsl_u64(w, size));
    LLVMValueRef fails = LLVMBuildTrunc(w->builder, must_fail, bit, "");
    LLVMSetOperand(cmpxchg, 2,
                   LLVMBuildSelect(w->builder, fails, expected, LLVMGetOperand(cmpxchg, 2), ""));
    tsl_hook_after(w, cmpxchg);
    LLVMValueRef own = LLVMBuildExtractValue(w->builder, cmpxchg, 1, "");
    LLVMValueRef stored = LLVMBuildAnd(w->builder, own, LLVMBuildNot(w->builder, fails, ""), "");
    for (LLVMUseRef u = LLVMGetFirstUse(cmpxchg), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (user == own || !LLVMIsAExtractValueInst(user) || LLVMGetIndices(user)[0] != 1)
            continue;
        LLVMValueRef call = label_call(w, user);
        if (!call) {
            LLVMReplaceAllUsesWith(user, stored);
            continue;
        }
        LLVMPositionBuilderBefore(w->builder, call);
        LLVMSetOperand(call, 3,
                       LLVMBuildSelect(w->builder, fails, LLVMGetOperand(call, 2),
                                       LLVMGetOperand(call, 3), ""));
    }
    LLVMPositionBuilderBefore(w->builder, LLVMGetNextInstruction(stored));
    return stored;
}

// `stored` says whether the operation stored, as the program sees it.
static void tell_result(tsl_weaver *w, LLVMValueRef cmpxchg, LLVMValueRef stored, uint64_t size) {
    uint32_t failure = tsl_hook_order(LLVMGetCmpXchgFailureOrdering(cmpxchg)) |
                       (LLVMGetWeak(cmpxchg) ? TSL_CAS_WEAK : 0);
    TSL_INSERT(w, cas_result, LLVMBuildZExt(w->builder, stored, w->i32, ""),
               tsl_hook_low(w, LLVMGetOperand(cmpxchg, 1)), tsl_u64(w, size), tsl_u32(w, failure));
}

void tsl_memory_cas(tsl_weaver *w, LLVMValueRef cmpxchg) {
    if (tsl_escape_is_private(w, LLVMGetOperand(cmpxchg, 0)))
        return;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(cmpxchg, 1));
    uint64_t size = tsl_memory_size(w, type);
    atomic(w, cmpxchg, type, TSL_EV_CAS, LLVMGetCmpXchgSuccessOrdering(cmpxchg));
    LLVMValueRef stored;
    if (LLVMGetWeak(cmpxchg)) // the runtime never lets those of more than eight bytes fail
        stored = let_fail(w, cmpxchg, size);
    else {
        tsl_hook_after(w, cmpxchg);
        stored = LLVMBuildExtractValue(w->builder, cmpxchg, 1, "");
    }
    tell_result(w, cmpxchg, stored, size);
}

void tsl_memory_fence(tsl_weaver *w, LLVMValueRef fence) {
    // atomic_signal_fence orders a thread against its own handlers only.
    if (LLVMIsAtomicSingleThread(fence))
        return;
    tsl_hook_before(w, fence);
    TSL_INSERT(w, fence, tsl_hook_site_of(w, fence, TSL_SITE_OTHER),
               tsl_u32(w, tsl_hook_order(LLVMGetOrdering(fence))));
}

// ---------------------------------------------------------------- ranges

static bool constant_object(LLVMValueRef p) { return tsl_llvm_is_constant(tsl_escape_base(p)); }

static void range(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, LLVMValueRef size) {
    w->counts.accesses++;
    size = LLVMBuildIntCast2(w->builder, size, w->i64, 0, "");
    TSL_INSERT(w, range, p, tsl_hook_site(w, site), tsl_u32(w, kind), size);
}

// The runtime says where the copy reads from once its steps have been taken; labels are copied from
// there, too.  It may be the destination, whose alignment may be less than the source's.
static void copy_from(tsl_weaver *w, LLVMValueRef call, LLVMValueRef from) {
    LLVMValueRef labels = LLVMGetNextInstruction(call);
    LLVMSetOperand(call, 1, from);
    LLVMRemoveCallSiteEnumAttribute(call, 2, tsl_llvm_attribute("align"));
    if (LLVMIsACallInst(labels) && LLVMGetCalledValue(labels) == w->hooks[TSL_HOOK_sym_copy])
        LLVMSetOperand(labels, 1, from);
}

// The operands are (dest, source, length, volatile) or (dest, byte, length, volatile).
static void visit_copy(tsl_weaver *w, LLVMValueRef call, bool has_source) {
    LLVMValueRef dest = LLVMGetOperand(call, 0), source = LLVMGetOperand(call, 1);
    LLVMValueRef size = LLVMGetOperand(call, 2);
    bool is_volatile = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) != 0;
    bool reads = has_source && !tsl_escape_is_private(w, source) && !constant_object(source);
    bool writes = !tsl_escape_is_private(w, dest);
    if (!reads && !writes)
        return;
    tsl_trap_write(w, call);
    uint32_t site = tsl_sites_add(w, call, TSL_SITE_ACCESS);
    tsl_hook_before(w, call);
    if (reads && writes) {
        w->counts.accesses += 2;
        LLVMValueRef kind = tsl_u32(w, is_volatile ? TSL_EV_VREAD : TSL_EV_READ);
        LLVMValueRef wide = LLVMBuildIntCast2(w->builder, size, w->i64, 0, "");
        copy_from(w, call, TSL_INSERT(w, copy, dest, source, tsl_hook_site(w, site), kind, wide));
        return;
    }
    if (reads)
        range(w, source, site, is_volatile ? TSL_EV_VREAD : TSL_EV_READ, size);
    if (has_source && !writes)
        tsl_trap_copy(w, call, source, size);
    if (writes)
        range(w, dest, site, is_volatile ? TSL_EV_VWRITE : TSL_EV_WRITE, size);
}

// The caller copies a by-value struct onto the stack, although no instruction says so.  Several
// such structs are read in one step, because they are copied together.
static void visit_byval(tsl_weaver *w, LLVMValueRef call) {
    bool first = true;
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++) {
        LLVMValueRef p = LLVMGetOperand(call, i);
        LLVMTypeRef type = tsl_llvm_operand_type(call, i, "byval");
        if (!type || tsl_escape_is_private(w, p) || constant_object(p))
            continue;
        uint64_t size = LLVMABISizeOfType(w->layout, type);
        uint32_t site = tsl_sites_add(w, call, TSL_SITE_ACCESS);
        tsl_hook_before(w, call);
        if (first)
            range(w, p, site, TSL_EV_READ, tsl_u64(w, size));
        else
            TSL_INSERT(w, also, p, tsl_hook_site(w, site), tsl_u32(w, TSL_EV_READ),
                       tsl_u64(w, size));
        w->counts.accesses += !first;
        first = false;
    }
}

void tsl_memory_call(tsl_weaver *w, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!tsl_llvm_is_intrinsic(callee))
        visit_byval(w, call);
    else if (tsl_llvm_copies(callee) || tsl_llvm_fills(callee))
        visit_copy(w, call, tsl_llvm_copies(callee));
}
