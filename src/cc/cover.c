// Inserts coverage points; see cover.h.
#include "cc/cover.h"

#include <stdlib.h>

#include "abi/layout.h"
#include "cc/hook.h"

// How it is known that a block was reached.
enum how {
    BY_ITSELF,  // the block stores to its point
    BY_BRANCH,  // the branch that leads to the block stores to its point
    BY_OUTCOME, // the block has no point; one of its two successors comes next and has one
    BY_OTHERS   // the block has no point; the points of other blocks cover its lines
};

typedef struct block {
    LLVMBasicBlockRef ref;
    LLVMValueRef end; // its last instruction
    uint32_t nout;    // number of edges out of the block
    uint32_t nin, in; // number of edges into the block, and where the last of them comes from
    size_t first_line, nlines;
    uint32_t like;  // the block whose point this one shares; mostly itself
    uint32_t nlike; // number of blocks that share this one's point
    enum how how;   // this and `point` are valid if `like` is the block itself
    uint32_t point;
    // Of a switch that leads here: its number + 1, and the first of its labels that does.
    uint32_t label_of, label;
    bool is_label; // this is a further label of the switch, with the outcome of block `like`
    bool can_stop; // a run may end in the block
    bool ahead;    // the block's two-way branch stores to a point before it jumps
} block;

// The blocks of one function.
typedef struct graph {
    block *blocks;   // in the order of the function
    tsl_map numbers; // of blocks, by reference
    uint32_t n;
    tsl_line_list lines; // of all blocks, one after the other
} graph;

// ---------------------------------------------------------------- blocks

static block *next(const graph *g, const block *b, uint32_t i) {
    return &g->blocks[*tsl_map_get(&g->numbers, (uint64_t)(uintptr_t)LLVMGetSuccessor(b->end, i))];
}

// Is the divisor a constant that is neither 0 nor -1?
static bool divides_safely(LLVMValueRef by) {
    return LLVMIsAConstantInt(by) && LLVMGetIntTypeWidth(LLVMTypeOf(by)) <= 64 && !LLVMIsNull(by) &&
           LLVMConstIntGetSExtValue(by) != -1;
}

static bool cannot_stop_at(LLVMValueRef inst) {
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMPHI:
    case LLVMBr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMSelect:
    case LLVMGetElementPtr:
        return true;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return divides_safely(LLVMGetOperand(inst, 1));
    default:
        return false;
    }
}

// Returns false if a run that enters the block is sure to leave it.
static bool can_stop(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!cannot_stop_at(i))
            return true;
    return false;
}

static void count_ways_in(const graph *g) {
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t s = 0; s < g->blocks[i].nout; s++) {
            block *to = next(g, &g->blocks[i], s);
            to->nin++;
            to->in = i;
        }
}

static void graph_init(graph *g, LLVMValueRef function, tsl_lines *lines) {
    *g = (graph){.n = LLVMCountBasicBlocks(function)};
    g->blocks = tsl_alloc_array(g->n, sizeof *g->blocks);
    LLVMBasicBlockRef ref = LLVMGetFirstBasicBlock(function);
    for (uint32_t i = 0; i < g->n; i++, ref = LLVMGetNextBasicBlock(ref)) {
        block *b = &g->blocks[i];
        b->ref = ref;
        b->end = LLVMGetBasicBlockTerminator(ref);
        b->nout = LLVMGetNumSuccessors(b->end);
        b->like = i;
        b->can_stop = can_stop(ref);
        b->first_line = g->lines.len;
        tsl_lines_take(lines, b->end, &g->lines);
        b->nlines = g->lines.len - b->first_line;
        *tsl_map_put(&g->numbers, (uint64_t)(uintptr_t)ref, NULL) = i;
    }
    count_ways_in(g);
}

static void graph_drop(graph *g) {
    tsl_free(g->blocks);
    tsl_map_drop(&g->numbers);
    tsl_vec_drop(&g->lines);
}

static bool is_switch(const block *b) { return LLVMIsASwitchInst(b->end); }

static bool is_two_way(const block *b) { return LLVMIsABranchInst(b->end) && b->nout == 2; }

// ---------------------------------------------------------------- shared points

static bool is_split_edge(const block *b) {
    return b->nin == 1 && b->nout == 1 && b->nlines == 0 &&
           LLVMGetFirstInstruction(b->ref) == b->end;
}

// Labels of a switch that lead to the same place are one outcome.
static void share_labels(const graph *g, uint32_t from) {
    const block *b = &g->blocks[from];
    for (uint32_t i = 0; is_switch(b) && i < b->nout; i++) {
        block *label = next(g, b, i);
        if (!is_split_edge(label))
            continue;
        block *to = next(g, label, 0);
        if (to->label_of == from + 1) {
            label->like = to->label;
            label->is_label = true;
        } else {
            to->label_of = from + 1;
            to->label = (uint32_t)(label - g->blocks);
        }
    }
}

// Goes back to the first of a chain of blocks without a choice.
static uint32_t resolve(const graph *g, uint32_t i) {
    for (uint32_t steps = 0; g->blocks[i].like != i && steps < g->n; steps++)
        i = g->blocks[i].like;
    g->blocks[i].like = i; // breaks a cycle that can't be reached
    return i;
}

static void share_points(const graph *g) {
    for (uint32_t i = 1; i < g->n; i++)
        if (g->blocks[i].nin == 1 && g->blocks[g->blocks[i].in].nout == 1)
            g->blocks[i].like = g->blocks[i].in;
    for (uint32_t i = 0; i < g->n; i++)
        share_labels(g, i);
    for (uint32_t i = 0; i < g->n; i++) {
        g->blocks[i].like = resolve(g, i);
        g->blocks[g->blocks[i].like].nlike++;
    }
}

// ---------------------------------------------------------------- how a block is known

static bool has_line(const graph *g, const block *b, unsigned line) {
    for (size_t i = 0; i < b->nlines; i++)
        if (g->lines.data[b->first_line + i] == line)
            return true;
    return false;
}

// Do the points of other blocks cover all lines of this one?  The entry block comes before all
// others, and the successor of a block that can't stop is sure to be reached.  Only two-way
// successors count, so that the blocks of a cycle do not rely on each other.
static bool told_by_others(const graph *g, const block *b) {
    const block *after = b->nout == 1 && !b->can_stop ? next(g, b, 0) : NULL;
    if (after && !is_two_way(after))
        after = NULL;
    for (size_t i = 0; i < b->nlines; i++) {
        unsigned line = g->lines.data[b->first_line + i];
        if (!has_line(g, &g->blocks[0], line) && !(after && has_line(g, after, line)))
            return false;
    }
    return true;
}

// Should the branch store before it jumps?  If one side does something that can't be done in
// advance, the branch stays a jump, and a store after it is cheaper.
static bool chooses_ahead(const graph *g, const block *b) {
    if (!is_two_way(b))
        return false;
    const block *yes = next(g, b, 0), *no = next(g, b, 1);
    return is_split_edge(yes) || is_split_edge(no) || (!yes->can_stop && !no->can_stop);
}

static enum how how(const graph *g, const block *b) {
    if (b->nin == 1 && g->blocks[b->in].ahead)
        return BY_BRANCH;
    if (b->nin < 2) // the entry block, or an outcome of a switch
        return BY_ITSELF;
    if (is_two_way(b) && !b->can_stop)
        return BY_OUTCOME;
    return b->nlike == 1 && told_by_others(g, b) ? BY_OTHERS : BY_ITSELF;
}

// ---------------------------------------------------------------- points

static LLVMValueRef point_address(tsl_weaver *w, uint32_t point) {
    LLVMValueRef base = tsl_hook_fixed(w, w->ptr, w->cover.at);
    LLVMValueRef offset = LLVMConstInt(w->i64, point, 0);
    return LLVMBuildInBoundsGEP2(w->builder, w->i8, base, &offset, 1, "");
}

static void store_one(tsl_weaver *w, LLVMValueRef address) {
    LLVMSetVolatile(LLVMBuildStore(w->builder, LLVMConstInt(w->i8, 1, 0), address), 1);
}

// Stores to one of two points: `first` for false, the next for true.
static void store_by(tsl_weaver *w, LLVMValueRef before, LLVMValueRef condition, uint32_t first) {
    tsl_hook_before(w, before);
    LLVMValueRef which = LLVMBuildZExt(w->builder, condition, w->i64, "");
    LLVMValueRef address = point_address(w, first);
    store_one(w, LLVMBuildInBoundsGEP2(w->builder, w->i8, address, &which, 1, ""));
}

// Stores after the leading allocas, which passes expect at the start of the block.
static void store_in(tsl_weaver *w, const block *b, uint32_t point) {
    LLVMValueRef place = LLVMGetFirstInstruction(b->ref);
    while (LLVMIsAPHINode(place) || LLVMIsAAllocaInst(place))
        place = LLVMGetNextInstruction(place);
    tsl_hook_before(w, place);
    store_one(w, point_address(w, point));
}

static uint32_t take_points(tsl_weaver *w, uint32_t n) {
    uint32_t first = w->cover.npoints;
    w->cover.npoints += n;
    return first;
}

static void number_points(tsl_weaver *w, const graph *g) {
    for (uint32_t i = 0; i < g->n; i++)
        g->blocks[i].ahead = chooses_ahead(g, &g->blocks[i]);
    for (uint32_t i = 0; i < g->n; i++) {
        block *b = &g->blocks[i];
        b->how = how(g, b);
        if (b->ahead) {
            next(g, b, 1)->point = take_points(w, 2);
            next(g, b, 0)->point = next(g, b, 1)->point + 1;
        }
    }
    for (uint32_t i = 0; i < g->n; i++)
        if (g->blocks[i].like == i && g->blocks[i].how == BY_ITSELF)
            g->blocks[i].point = take_points(w, 1);
}

static void store_points(tsl_weaver *w, const graph *g) {
    for (uint32_t i = 0; i < g->n; i++) {
        const block *b = &g->blocks[i], *like = &g->blocks[b->like];
        if ((b == like && b->how == BY_ITSELF) || b->is_label)
            store_in(w, b, like->point);
        if (b->ahead)
            store_by(w, b->end, LLVMGetCondition(b->end), next(g, b, 1)->point);
    }
}

// ---------------------------------------------------------------- lines

static int by_line(const void *a, const void *b) {
    const tsl_cover_place *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static void add_line(tsl_cover *c, uint32_t point, uint32_t line) {
    tsl_vec_push(&c->places, (tsl_cover_place){.point = point, .line = line});
}

static void add_block_line(tsl_cover *c, const graph *g, const block *b, uint32_t line) {
    const block *like = &g->blocks[b->like];
    if (like->how == BY_OUTCOME) {
        add_line(c, next(g, like, 0)->point, line);
        add_line(c, next(g, like, 1)->point, line);
    } else if (like->how != BY_OTHERS)
        add_line(c, like->point, line);
}

static void sort_lines(tsl_cover *c, size_t first) {
    tsl_cover_place *places = c->places.data;
    size_t n = c->places.len, kept = first;
    if (n > first)
        qsort(places + first, n - first, sizeof *places, by_line);
    for (size_t i = first; i < n; i++)
        if (kept == first || by_line(&places[i], &places[kept - 1]) != 0)
            places[kept++] = places[i];
    c->places.len = kept;
}

static void add_lines(tsl_cover *c, const graph *g, uint32_t function_line) {
    size_t first = c->places.len;
    if (function_line)
        add_line(c, g->blocks[0].point, function_line);
    for (uint32_t i = 0; i < g->n; i++) {
        const block *b = &g->blocks[i];
        for (size_t j = 0; j < b->nlines; j++)
            add_block_line(c, g, b, g->lines.data[b->first_line + j]);
    }
    sort_lines(c, first);
}

// ---------------------------------------------------------------- branches

static uint16_t clamp16(unsigned x) { return x < UINT16_MAX ? (uint16_t)x : UINT16_MAX; }

static void add_outcomes(tsl_cover *c, LLVMValueRef inst, const uint32_t *points, size_t n) {
    unsigned line, column;
    if (!tsl_lines_locate(&c->lines, inst, &line, &column) || n > UINT16_MAX)
        return;
    for (size_t i = 0; i < n; i++)
        tsl_vec_push(&c->places, (tsl_cover_place){.point = points[i],
                                                   .line = line,
                                                   .column = clamp16(column),
                                                   .outcome = (uint16_t)i,
                                                   .outcomes = (uint16_t)n});
}

// Adds the branch at the end of a block: two-way, or a switch.
static void add_branch(tsl_cover *c, const graph *g, const block *b) {
    TSL_VEC(uint32_t) points = {0};
    for (uint32_t i = 0; i < b->nout; i++) {
        const block *to = next(g, b, i);
        if (to->nin == 1 && !to->is_label)
            tsl_vec_push(&points, to->point);
    }
    if (points.len > 1)
        add_outcomes(c, b->end, points.data, points.len);
    tsl_vec_drop(&points);
}

static void add_choice(tsl_weaver *w, LLVMValueRef select) {
    LLVMValueRef condition = LLVMGetCondition(select);
    if (!tsl_lines_take_choice(&w->cover.lines, select) ||
        LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMIntegerTypeKind)
        return;
    uint32_t first = take_points(w, 2);
    store_by(w, select, condition, first);
    add_outcomes(&w->cover, select, (const uint32_t[]){first + 1, first}, 2);
}

static void add_branches(tsl_weaver *w, const graph *g) {
    for (uint32_t i = 0; i < g->n; i++) {
        const block *b = &g->blocks[i];
        LLVMValueRef inst = LLVMGetFirstInstruction(b->ref);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            if (LLVMIsASelectInst(inst))
                add_choice(w, inst);
        if (is_two_way(b) || is_switch(b))
            add_branch(&w->cover, g, b);
    }
}

// ---------------------------------------------------------------- one function

void tsl_cover_function(tsl_weaver *w) {
    tsl_cover *c = &w->cover;
    if (!w->subprogram) // made by the compiler, or marked `nodebug`
        return;
    graph g;
    tsl_site at = {0};
    size_t first = c->places.len;
    tsl_lines_enter(&c->lines, w->subprogram);
    tsl_sites_locate(w, &at);
    graph_init(&g, w->function, &c->lines);
    share_points(&g);
    number_points(w, &g);
    store_points(w, &g);
    add_lines(c, &g, at.line);
    add_branches(w, &g);
    tsl_vec_push(&c->funcs, (tsl_cover_func){.file = at.file,
                                             .folder = c->folder,
                                             .name = w->sites.func,
                                             .line = at.line,
                                             .point = g.blocks[0].point,
                                             .nplaces = (uint32_t)(c->places.len - first)});
    graph_drop(&g);
}

// ---------------------------------------------------------------- the module

void tsl_cover_init(tsl_weaver *w) {
    tsl_cover *c = &w->cover;
    tsl_lines_init(&c->lines, w->context);
    c->folder = tsl_sites_string(&w->sites, w->cwd);
    c->at = LLVMAddGlobal(w->module, w->ptr, "__teasel_cover");
    LLVMSetLinkage(c->at, LLVMInternalLinkage);
    // Code that runs before the module is registered is not counted.
    LLVMValueRef nowhere = LLVMConstInt(w->i64, TSL_COVER_ADDR + TSL_COVER_SIZE, 0);
    LLVMSetInitializer(c->at, LLVMConstIntToPtr(nowhere, w->ptr));
}

void tsl_cover_drop(tsl_cover *c) {
    tsl_vec_drop(&c->funcs);
    tsl_vec_drop(&c->places);
}

static LLVMValueRef emit(tsl_weaver *w, const void *data, size_t len, const char *name) {
    LLVMValueRef global = tsl_llvm_add_bytes(w->module, name, data, len);
    LLVMSetAlignment(global, 8);
    return global;
}

LLVMValueRef tsl_cover_emit_funcs(tsl_weaver *w) {
    const tsl_cover *c = &w->cover;
    return emit(w, c->funcs.data, c->funcs.len * sizeof *c->funcs.data, "__teasel_cover_funcs");
}

LLVMValueRef tsl_cover_emit_places(tsl_weaver *w) {
    const tsl_cover *c = &w->cover;
    return emit(w, c->places.data, c->places.len * sizeof *c->places.data, "__teasel_cover_places");
}
