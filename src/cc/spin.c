// Finds loops that may wait; see spin.h.
#include "cc/spin.h"

#include <string.h>

#include "cc/assembly.h"
#include "cc/escape.h"
#include "cc/hook.h"

enum { NOWHERE = -1 };

// ---------------------------------------------------------------- blocks

typedef TSL_VEC(int) numbers;

// The function's blocks in reverse postorder from the entry, without those that can't be reached.
typedef struct graph {
    tsl_blocks blocks;
    int n;
    tsl_map numbers; // of these blocks, by reference
    int *dominator;  // the immediate dominator of each block
    int *first_pred;
    numbers preds; // predecessors of block b: from first_pred[b] up to first_pred[b + 1]
} graph;

// The number of a block, or NOWHERE if it can't be reached.
static int number_of(const graph *g, LLVMBasicBlockRef block) {
    const uint64_t *number = tsl_map_get(&g->numbers, (uint64_t)(uintptr_t)block);
    return number ? (int)*number : NOWHERE;
}

static unsigned successors(LLVMBasicBlockRef b) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
    return last ? LLVMGetNumSuccessors(last) : 0;
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef b, unsigned i) {
    return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), i);
}

static void number_blocks(graph *g, LLVMValueRef f) {
    tsl_llvm_order(f, &g->blocks);
    g->n = (int)g->blocks.len;
    for (int i = 0; i < g->n; i++)
        *tsl_map_put(&g->numbers, (uint64_t)(uintptr_t)g->blocks.data[i], NULL) = (uint64_t)i;
}

static void find_preds(graph *g) {
    int *count = tsl_alloc_array((size_t)g->n + 1, sizeof *count);
    g->first_pred = tsl_alloc_array((size_t)g->n + 1, sizeof *g->first_pred);
    for (int b = 0; b < g->n; b++)
        for (unsigned i = 0, n = successors(g->blocks.data[b]); i < n; i++)
            count[number_of(g, successor(g->blocks.data[b], i))]++;
    for (int b = 0; b < g->n; b++)
        g->first_pred[b + 1] = g->first_pred[b] + count[b];
    tsl_vec_reserve(&g->preds, (size_t)g->first_pred[g->n]);
    g->preds.len = (size_t)g->first_pred[g->n];
    for (int b = 0; b < g->n; b++)
        for (unsigned i = 0, n = successors(g->blocks.data[b]); i < n; i++) {
            int to = number_of(g, successor(g->blocks.data[b], i));
            g->preds.data[g->first_pred[to] + --count[to]] = b;
        }
    tsl_free(count);
}

// Cooper, Harvey, Kennedy: A simple, fast dominance algorithm, 2001.
static int common(const graph *g, int a, int b) {
    while (a != b)
        if (a > b)
            a = g->dominator[a];
        else
            b = g->dominator[b];
    return a;
}

static void find_dominators(graph *g) {
    g->dominator = tsl_alloc_array((size_t)g->n, sizeof *g->dominator);
    for (int b = 1; b < g->n; b++)
        g->dominator[b] = NOWHERE;
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = 1; b < g->n; b++) {
            int d = NOWHERE;
            for (int i = g->first_pred[b]; i < g->first_pred[b + 1]; i++) {
                int p = g->preds.data[i];
                if (g->dominator[p] != NOWHERE)
                    d = d == NOWHERE ? p : common(g, p, d);
            }
            changed |= g->dominator[b] != d;
            g->dominator[b] = d;
        }
    }
}

static bool dominates(const graph *g, int a, int b) {
    while (b > a)
        b = g->dominator[b];
    return a == b;
}

static void graph_init(graph *g, LLVMValueRef f) {
    *g = (graph){0};
    number_blocks(g, f);
    find_preds(g);
    find_dominators(g);
}

static void graph_drop(graph *g) {
    tsl_vec_drop(&g->blocks);
    tsl_map_drop(&g->numbers);
    tsl_free(g->dominator);
    tsl_free(g->first_pred);
    tsl_vec_drop(&g->preds);
}

// ---------------------------------------------------------------- what a loop does

typedef struct body {
    bool looks;  // the loop reads memory that others can write, or calls something
    bool writes; // the loop writes to locals that nothing else can reach
} body;

static bool is_intrinsic(LLVMValueRef call) {
    return tsl_llvm_is_intrinsic(LLVMGetCalledValue(call));
}

static bool is_copy(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return tsl_llvm_copies(callee) || tsl_llvm_fills(callee);
}

// Does the assembly only write the local, as an output?
static bool is_asm_output(LLVMValueRef user, LLVMValueRef local) {
    bool any = false;
    if (!LLVMIsACallInst(user) || !LLVMIsAInlineAsm(LLVMGetCalledValue(user)))
        return false;
    for (unsigned i = 0, n = LLVMGetNumArgOperands(user); i < n; i++)
        if (LLVMGetOperand(user, i) == local) {
            if (!tsl_assembly_place(user, i) || !tsl_assembly_writes(user, i))
                return false;
            any = true;
        }
    return any;
}

// Was the loaded local written before, in the same block?
static bool is_fresh(const tsl_weaver *w, LLVMValueRef load) {
    LLVMValueRef local = LLVMGetOperand(load, 0);
    uint64_t size = LLVMStoreSizeOfType(w->layout, LLVMTypeOf(load));
    LLVMValueRef i = LLVMGetPreviousInstruction(load);
    for (; i; i = LLVMGetPreviousInstruction(i))
        if (is_asm_output(i, local))
            return true;
        else if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == local)
            return LLVMStoreSizeOfType(w->layout, LLVMTypeOf(LLVMGetOperand(i, 0))) >= size;
    return false;
}

// Is it a local through which a value only passes?  clang makes such locals where types differ (an
// atomic load of a pointer), and promotion keeps them.
static bool is_momentary(const tsl_weaver *w, LLVMValueRef local) {
    if (!LLVMIsAAllocaInst(local))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == local;
        bool loads = LLVMIsALoadInst(user) && is_fresh(w, user);
        stores |= is_asm_output(user, local);
        if (!stores && !loads && !(LLVMIsACallInst(user) && is_intrinsic(user) && !is_copy(user)))
            return false;
    }
    return true;
}

static bool keeps_state(const tsl_weaver *w, LLVMValueRef p) {
    return tsl_escape_is_private(w, p) && !is_momentary(w, p);
}

// Looks at operands in memory, and at memory that a pointer in a register leads to.
static void look_at_asm(const tsl_weaver *w, LLVMValueRef call, body *out) {
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++) {
        LLVMValueRef p = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind)
            continue;
        out->looks |= !tsl_escape_is_private(w, p);
        out->writes |= tsl_assembly_writes(call, i) && keeps_state(w, p);
    }
}

static void look_at(const tsl_weaver *w, LLVMValueRef inst, body *out) {
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        out->looks |= !tsl_escape_is_private(w, LLVMGetOperand(inst, 0));
        break;
    case LLVMStore:
        out->writes |= keeps_state(w, LLVMGetOperand(inst, 1));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        out->looks = true;
        out->writes |= tsl_escape_is_private(w, LLVMGetOperand(inst, 0));
        break;
    case LLVMCall:
    case LLVMCallBr:
        if (LLVMIsAInlineAsm(LLVMGetCalledValue(inst)))
            look_at_asm(w, inst, out);
        else if (!is_intrinsic(inst))
            out->looks = true;
        else if (is_copy(inst))
            out->writes |= tsl_escape_is_private(w, LLVMGetOperand(inst, 0));
        break;
    case LLVMInvoke:
    case LLVMIndirectBr:
        out->writes = true; // not analysed: assume that it does
        break;
    default:
        break;
    }
}

// The value without casts.
static LLVMValueRef stripped(LLVMValueRef v) {
    while (LLVMIsACastInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static bool is_constant_not_zero(LLVMValueRef v) {
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) != 0;
}

static bool moves_on(LLVMValueRef phi, LLVMValueRef next, unsigned depth);

// Does every value that a select or phi may choose move on?
static bool all_move_on(LLVMValueRef phi, LLVMValueRef choice, unsigned depth) {
    if (LLVMIsASelectInst(choice))
        return moves_on(phi, LLVMGetOperand(choice, 1), depth) &&
               moves_on(phi, LLVMGetOperand(choice, 2), depth);
    for (unsigned i = 0, n = LLVMCountIncoming(choice); i < n; i++)
        if (!moves_on(phi, LLVMGetIncomingValue(choice, i), depth))
            return false;
    return true;
}

// Is `next`, the phi's value for the next round, almost surely another value than this round's?
static bool moves_on(LLVMValueRef phi, LLVMValueRef next, unsigned depth) {
    next = stripped(next);
    if (next == phi)
        return false;
    if (LLVMIsASelectInst(next) || LLVMIsAPHINode(next))
        return depth > 0 && all_move_on(phi, next, depth - 1);
    if (LLVMIsAGetElementPtrInst(next))
        return LLVMGetNumOperands(next) == 2 && stripped(LLVMGetOperand(next, 0)) == phi &&
               is_constant_not_zero(LLVMGetOperand(next, 1));
    if (LLVMIsALoadInst(next))
        return tsl_escape_base(LLVMGetOperand(next, 0)) == phi;
    if (!LLVMIsABinaryOperator(next))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(next);
    return (op == LLVMAdd || op == LLVMSub) && stripped(LLVMGetOperand(next, 0)) == phi &&
           is_constant_not_zero(LLVMGetOperand(next, 1));
}

static bool can_mix(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 128;
    case LLVMPointerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    default:
        return false;
    }
}

// ---------------------------------------------------------------- loops

typedef struct loop {
    int header;
    numbers blocks; // of the loop, with the header
    bool *inside;   // for each block: is it in the loop?
} loop;

static void enter(loop *l, int block) {
    if (l->inside[block])
        return;
    l->inside[block] = true;
    tsl_vec_push(&l->blocks, block);
}

static void flood(const graph *g, loop *l) {
    for (size_t i = 0; i < l->blocks.len; i++) {
        int b = l->blocks.data[i];
        for (int k = g->first_pred[b]; b != l->header && k < g->first_pred[b + 1]; k++)
            enter(l, g->preds.data[k]);
    }
}

// Finds the loop with this header; false: no edge leads back to the block.
static bool find_loop(const graph *g, int header, loop *l) {
    l->header = header;
    tsl_vec_clear(&l->blocks);
    memset(l->inside, 0, (size_t)g->n);
    enter(l, header);
    bool any = false;
    for (int i = g->first_pred[header]; i < g->first_pred[header + 1]; i++) {
        int p = g->preds.data[i];
        if (!dominates(g, header, p))
            continue;
        any = true;
        enter(l, p);
    }
    if (any)
        flood(g, l);
    return any;
}

static bool phi_moves_on(const graph *g, const loop *l, LLVMValueRef phi) {
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
        int from = number_of(g, LLVMGetIncomingBlock(phi, i));
        if (from != NOWHERE && l->inside[from] && !moves_on(phi, LLVMGetIncomingValue(phi, i), 3))
            return false;
    }
    return true;
}

static bool may_wait(const tsl_weaver *w, const graph *g, const loop *l) {
    body does = {false, false};
    unsigned phis = 0;
    LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.data[l->header]);
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (!can_mix(LLVMTypeOf(i)) || phi_moves_on(g, l, i) || ++phis > TSL_LOOP_PHIS)
            return false;
    for (int k = g->first_pred[l->header]; k < g->first_pred[l->header + 1]; k++)
        if (successors(g->blocks.data[g->preds.data[k]]) != 1)
            return false; // there is no place for a hook on that edge
    for (size_t b = 0; b < l->blocks.len && !does.writes; b++)
        for (i = LLVMGetFirstInstruction(g->blocks.data[l->blocks.data[b]]); i;
             i = LLVMGetNextInstruction(i))
            look_at(w, i, &does);
    return does.looks && !does.writes;
}

static void note(tsl_weaver *w, const graph *g, const loop *l) {
    tsl_loop_edge edge = {.header = g->blocks.data[l->header]};
    LLVMValueRef i = LLVMGetFirstInstruction(edge.header);
    for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        edge.phis[edge.nphis++] = i;
    edge.behind_phis = i;
    for (int k = g->first_pred[l->header]; k < g->first_pred[l->header + 1]; k++) {
        int p = g->preds.data[k];
        edge.from = g->blocks.data[p];
        edge.enters = !l->inside[p];
        tsl_vec_push(&w->loop_edges, edge);
    }
}

void tsl_spin_find(tsl_weaver *w) {
    graph g;
    loop l = {0};
    tsl_vec_clear(&w->loop_edges);
    graph_init(&g, w->function);
    l.inside = tsl_alloc((size_t)g.n);
    for (int b = 0; b < g.n; b++)
        if (find_loop(&g, b, &l) && may_wait(w, &g, &l))
            note(w, &g, &l);
    tsl_free(l.inside);
    tsl_vec_drop(&l.blocks);
    graph_drop(&g);
}

void tsl_spin_drop(tsl_weaver *w) { tsl_vec_drop(&w->loop_edges); }

// ---------------------------------------------------------------- hooks

static LLVMValueRef mix(tsl_weaver *w, LLVMValueRef state, LLVMValueRef value) {
    LLVMValueRef factor = LLVMConstInt(w->i64, 0x9e3779b97f4a7c15ull, 0);
    if (!state)
        return value;
    return LLVMBuildXor(w->builder, LLVMBuildMul(w->builder, state, factor, ""), value, "");
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++)
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static LLVMValueRef state_of(tsl_weaver *w, const tsl_loop_edge *e) {
    LLVMValueRef state = NULL;
    for (unsigned i = 0; i < e->nphis; i++) {
        LLVMValueRef next = incoming(e->phis[i], e->from);
        LLVMTypeRef type = LLVMTypeOf(next);
        state = mix(w, state, tsl_hook_low(w, next));
        if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 64)
            state = mix(w, state, tsl_hook_high(w, next));
    }
    return state ? state : LLVMConstInt(w->i64, 0, 0);
}

void tsl_spin_hook(tsl_weaver *w) {
    LLVMBasicBlockRef last = NULL;
    uint32_t site = 0;
    for (size_t i = 0; i < w->loop_edges.len; i++) {
        const tsl_loop_edge *e = &w->loop_edges.data[i];
        if (e->header != last)
            site = tsl_sites_add(w, e->behind_phis, TSL_SITE_OTHER);
        last = e->header;
        tsl_hook_before(w, LLVMGetBasicBlockTerminator(e->from));
        TSL_INSERT(w, loop, tsl_hook_site(w, site), state_of(w, e), tsl_u32(w, e->enters));
    }
}
