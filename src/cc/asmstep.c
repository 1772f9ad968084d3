// Announces steps of inline assembly; see asmstep.h.
#include "cc/asmstep.h"

#include "abi/hooks.h"
#include "cc/asmgoto.h"
#include "cc/assembly.h"
#include "cc/hook.h"
#include "cc/machine.h"

// ---------------------------------------------------------------- addresses

// Offset, in bytes, of the word that the bit lies in; a word has the size of the access.
static LLVMValueRef word_of_bit(tsl_weaver *w, const tsl_asm_access *a) {
    LLVMValueRef bit = LLVMBuildIntCast2(w->builder, a->bit, w->i64, 1, "");
    LLVMValueRef bits = LLVMConstInt(w->i64, 8 * a->size - 1, 0);
    LLVMValueRef whole = LLVMBuildAnd(w->builder, bit, LLVMBuildNot(w->builder, bits, ""), "");
    return LLVMBuildAShr(w->builder, whole, LLVMConstInt(w->i64, 3, 0), "");
}

static LLVMValueRef address(tsl_weaver *w, const tsl_asm_access *a) {
    LLVMValueRef p = a->pointer;
    if (LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind)
        p = LLVMBuildIntToPtr(w->builder, LLVMBuildIntCast2(w->builder, p, w->i64, 0, ""), w->ptr,
                              "");
    LLVMValueRef offset = a->bit ? word_of_bit(w, a) : LLVMConstInt(w->i64, 0, 0);
    if (a->offset)
        offset = LLVMBuildAdd(w->builder, offset, LLVMConstInt(w->i64, (uint64_t)a->offset, 1), "");
    return a->bit || a->offset ? LLVMBuildGEP2(w->builder, w->i8, p, &offset, 1, "") : p;
}

// ---------------------------------------------------------------- accesses

static uint32_t kind_of(const tsl_asm_access *a) {
    if (a->atomic)
        return a->reads && a->writes ? TSL_EV_RMW : a->writes ? TSL_EV_AWRITE : TSL_EV_AREAD;
    return a->writes ? TSL_EV_WRITE : TSL_EV_READ;
}

static uint32_t order_of(const tsl_asm_access *a) {
    return a->order == 2 || a->order == 3 ? a->order : __ATOMIC_SEQ_CST;
}

static bool is_simple(uint64_t size) { return size <= 16 && (size & (size - 1)) == 0; }

static void announce_plain(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind,
                           uint64_t size) {
    TSL_INSERT(w, access, p, tsl_hook_site(w, site), tsl_u32(w, kind), tsl_u64(w, size));
}

static void announce(tsl_weaver *w, const tsl_asm_access *a, LLVMValueRef p, uint32_t site) {
    if (a->atomic && is_simple(a->size)) {
        w->counts.atomics++;
        TSL_INSERT(w, atomic, p, tsl_hook_site(w, site), tsl_u32(w, kind_of(a)),
                   tsl_u64(w, a->size), tsl_u32(w, order_of(a)));
    } else {
        w->counts.accesses++;
        announce_plain(w, p, site, a->writes ? TSL_EV_WRITE : TSL_EV_READ, a->size);
    }
}

void tsl_asmstep_result(tsl_weaver *w, LLVMValueRef p, LLVMValueRef old) {
    LLVMValueRef now = LLVMBuildLoad2(w->builder, LLVMTypeOf(old), p, "");
    LLVMSetAlignment(now, 1);
    LLVMSetVolatile(now, 1); // the constraints need not say that the assembly writes
    LLVMValueRef same = LLVMBuildICmp(w->builder, LLVMIntEQ, old, now, "");
    TSL_INSERT(w, rmw_result, LLVMBuildZExt(w->builder, same, w->i32, ""));
}

static void announce_result(tsl_weaver *w, LLVMValueRef call, const tsl_asm_access *a,
                            LLVMValueRef p) {
    LLVMTypeRef type = LLVMIntTypeInContext(w->context, (unsigned)(8 * a->size));
    LLVMValueRef old = LLVMBuildLoad2(w->builder, type, p, "");
    LLVMSetAlignment(old, 1);
    if (!LLVMIsACallInst(call)) {
        tsl_asmgoto_compare(w, call, p, old);
        return;
    }
    tsl_hook_after(w, call);
    tsl_asmstep_result(w, p, old);
}

// ---------------------------------------------------------------- two steps

// A read-modify-write that the processor does not lock is two steps, a read and a write.
static bool is_two_steps(LLVMValueRef call, const tsl_assembly *all) {
    const tsl_asm_access *a = &all->accesses[0];
    return LLVMIsACallInst(call) && all->naccesses == 1 && !all->is_opaque && !all->is_several &&
           a->reads && a->writes && !a->atomic && !a->bit && (!a->offset || !a->operand) &&
           (a->operand || all->is_single) && a->insts == 1 && is_simple(a->size) && a->size <= 8;
}

static bool fits(const tsl_weaver *w, LLVMValueRef call, const tsl_asm_access *a) {
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
        if (LLVMGetOperand(call, i) == a->pointer) {
            LLVMTypeRef type = tsl_assembly_place(call, i);
            if (type ? LLVMStoreSizeOfType(w->layout, type) != a->size : a->operand)
                return false;
        }
    return LLVMTypeOf(a->pointer) == w->ptr && !tsl_assembly_keeps(call);
}

static LLVMValueRef make_copy(tsl_weaver *w, LLVMTypeRef type) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)));
    LLVMValueRef copy = LLVMBuildAlloca(b, type, "");
    LLVMDisposeBuilder(b);
    return copy;
}

// The assembly works on a copy, which is written back in a step of its own.
static void work_on_copy(tsl_weaver *w, LLVMValueRef call, const tsl_asm_access *a) {
    LLVMTypeRef type = LLVMIntTypeInContext(w->context, (unsigned)(8 * a->size));
    LLVMValueRef copy = make_copy(w, type), p = address(w, a);
    LLVMValueRef back = LLVMConstInt(w->i64, (uint64_t)-a->offset, 1);
    uint32_t site = tsl_sites_add(w, call, TSL_SITE_ACCESS);
    w->counts.accesses += 2;
    announce_plain(w, p, site, TSL_EV_READ, a->size);
    LLVMValueRef value = LLVMBuildLoad2(w->builder, type, p, "");
    LLVMSetAlignment(value, 1);
    LLVMBuildStore(w->builder, value, copy);
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
        if (LLVMGetOperand(call, i) == a->pointer)
            LLVMSetOperand(call, i,
                           a->offset ? LLVMBuildGEP2(w->builder, w->i8, copy, &back, 1, "") : copy);
    tsl_hook_after(w, call);
    announce_plain(w, p, site, TSL_EV_WRITE, a->size);
    value = LLVMBuildLoad2(w->builder, type, copy, "");
    LLVMSetAlignment(LLVMBuildStore(w->builder, value, p), 1);
}

// ---------------------------------------------------------------- one step

static void announce_all(tsl_weaver *w, LLVMValueRef call, const tsl_assembly *all, uint32_t site) {
    for (unsigned i = 0; i < all->naccesses; i++) {
        const tsl_asm_access *a = &all->accesses[i];
        LLVMValueRef p = address(w, a);
        if (i == 0 && !all->is_opaque)
            announce(w, a, p, site);
        else
            TSL_INSERT(w, also, p, tsl_hook_site(w, site), tsl_u32(w, kind_of(a)),
                       tsl_u64(w, a->size));
        bool alone = all->naccesses == 1 && !all->is_opaque;
        if (alone && kind_of(a) == TSL_EV_RMW && is_simple(a->size))
            announce_result(w, call, a, p);
    }
}

static void visit(tsl_weaver *w, LLVMValueRef call) {
    tsl_assembly all = tsl_assembly_of(w, call);
    if (!all.naccesses && !all.is_opaque && !all.is_fence)
        return;
    tsl_hook_before(w, call);
    if (all.is_fence) {
        tsl_asm_access order = {.order = all.order};
        TSL_INSERT(w, fence, tsl_hook_site_of(w, call, TSL_SITE_OTHER),
                   tsl_u32(w, order_of(&order)));
    }
    if (all.naccesses && is_two_steps(call, &all) && fits(w, call, &all.accesses[0])) {
        work_on_copy(w, call, &all.accesses[0]);
        return;
    }
    if (!all.naccesses && !all.is_opaque)
        return;
    // A plain read-modify-write that could not be split counts as several steps, too.
    const tsl_asm_access *first = &all.accesses[0];
    bool several =
        all.naccesses && (all.is_several || (!first->atomic && first->reads && first->writes));
    uint32_t flags = (all.is_opaque ? TSL_ASM_OPAQUE : 0) |
                     (several && !all.is_opaque ? TSL_ASM_SEVERAL : 0) |
                     (all.repeats ? TSL_ASM_LOOPS : 0);
    uint32_t site = tsl_sites_add(w, call, all.is_opaque ? TSL_SITE_ASM : TSL_SITE_ACCESS);
    w->counts.asms += all.is_opaque;
    if (flags)
        TSL_INSERT(w, asm, tsl_hook_site(w, site), tsl_u32(w, flags));
    announce_all(w, call, &all, site);
}

void tsl_asmstep_visit(tsl_weaver *w, LLVMValueRef call) {
    visit(w, call);
    tsl_machine_asm(w, call);
}
