// Path search: how is every path of the program through input branches taken, in some order?
//
// This is concolic testing as in the thesis (4.1.4, 4.1.5), but not only depth first.  The strategy
// keeps the tree of all paths seen.  A node of the tree is a decision, and its children are the
// conditions that runs have met there.  What no run has met yet is the goal of the node:
//
//     goal  =  none of the conditions of its children
//
// For a branch, the goal is the other outcome; for a pin, any other value.  A node is open until
// its goal can't be met.  At a choice of the program (TEASEL_CHOOSE) the Plan decides instead of an
// input.  The node of a choice is open until every alternative was taken.  So that runs get there
// again, the schedule up to the choice is kept, in pieces that reach from choice to choice.
//
// The path order says which open node is next:
//
//     breadth    the one with the fewest decisions before it
//     random     any
//     coverage   one whose other outcome no run has shown anywhere; among these, and if there is
//                none, the one with the fewest decisions before it
//
// Threads run under one schedule.  (The search tree that the reducing strategies share goes through
// paths depth first, under all schedules.)
#include "base/deadline.h"
#include "base/rng.h"
#include "base/set.h"
#include "explore/plan.h"

enum { IN_FLIGHT = 4 };

// A piece of a schedule, from after one choice up to and including the next.
typedef struct piece {
    uint32_t before; // the piece that ends with the choice before, or 0
    size_t first, n; // its items in paths.items
} piece;

typedef struct node {
    uint32_t parent;
    tsl_term came_by;     // the condition met at the parent; no term if the parent is a choice
    uint32_t first, next; // first child, next sibling; 0 if there is none
    tsl_term goal;        // no term if no run has decided here yet
    uint32_t inputs;      // a set that leads here; held while the node is open
    uint32_t depth, site;
    uint32_t piece;        // the piece that ends with the last choice before this node, or 0
    uint16_t res;          // what the first run decided here
    uint16_t chose;        // the alternative taken at the parent, if that is a choice
    uint16_t alternatives; // of a choice; 0 of a branch
    uint16_t taken;        // how many of them were taken
    bool is_queued;        // is it in the heap?
} node;

typedef struct entry {
    uint64_t key;
    uint32_t node;
} entry;

// What a run under way was planned for: to meet the goal of a node.
typedef struct aim {
    uint32_t node;
    uint32_t nnodes; // in the tree when the run was planned
} aim;

typedef struct paths {
    tsl_strategy base;
    tsl_search search;
    tsl_rng rng;
    tsl_inputs *inputs;
    tsl_import import;
    TSL_VEC(node) nodes;      // number 0 is where every run begins
    TSL_VEC(entry) heap;      // of open nodes; the smallest key comes first
    TSL_VEC(piece) pieces;    // number 0 is empty
    TSL_VEC(tsl_item) items;  // of all pieces
    TSL_VEC(uint32_t) way;    // scratch: pieces from the last to the first
    tsl_set covered;          // outcomes of branches that some run has shown
    aim flying_to[IN_FLIGHT]; // aims of the runs under way, the oldest first
    unsigned flying;
    tsl_path_condition conditions; // scratch
    bool begun;
} paths;

static tsl_strategy *paths_new(const tsl_search *search) {
    paths *p = tsl_alloc(sizeof *p);
    p->base.kind = &tsl_strategy_paths;
    p->search = *search;
    tsl_rng_init(&p->rng, search->seed);
    p->inputs = tsl_inputs_get(search->inputs, &search->solver);
    tsl_import_init(&p->import);
    p->base.inputs = p->inputs;
    tsl_vec_push(&p->nodes, (node){0});
    tsl_vec_push(&p->pieces, (piece){0});
    return &p->base;
}

static void paths_free(tsl_strategy *strategy) {
    paths *p = (paths *)strategy;
    tsl_inputs_drop(p->inputs);
    tsl_import_drop(&p->import);
    tsl_vec_drop(&p->nodes);
    tsl_vec_drop(&p->heap);
    tsl_vec_drop(&p->pieces);
    tsl_vec_drop(&p->items);
    tsl_vec_drop(&p->way);
    tsl_vec_drop(&p->conditions);
    tsl_set_drop(&p->covered);
    tsl_free(p);
}

// ---------------------------------------------------------------- the order

static uint64_t outcome_of(uint32_t site, unsigned res) {
    return (uint64_t)site << 1 | (res & TSL_BRANCH_TRUE);
}

static uint64_t key_of(paths *p, const node *at) {
    bool shown = !at->alternatives &&
                 tsl_set_has(&p->covered, outcome_of(at->site, at->res ^ TSL_BRANCH_TRUE) + 1);
    switch (p->search.path_order) {
    case TSL_PATHS_RANDOM:
        return tsl_rng_next(&p->rng) >> 1;
    case TSL_PATHS_COVERAGE:
        return (uint64_t)shown << 32 | at->depth;
    default:
        return at->depth;
    }
}

static void push(paths *p, uint64_t key, uint32_t number) {
    tsl_vec_push(&p->heap, (entry){key, number});
    size_t i = p->heap.len - 1;
    for (; i > 0 && p->heap.data[(i - 1) / 2].key > key; i = (i - 1) / 2)
        p->heap.data[i] = p->heap.data[(i - 1) / 2];
    p->heap.data[i] = (entry){key, number};
}

static entry pop(paths *p) {
    entry top = p->heap.data[0], last = tsl_vec_pop(&p->heap);
    size_t n = p->heap.len, i = 0;
    while (n) {
        size_t child = 2 * i + 1;
        if (child + 1 < n && p->heap.data[child + 1].key < p->heap.data[child].key)
            child++;
        if (child >= n || p->heap.data[child].key >= last.key)
            break;
        p->heap.data[i] = p->heap.data[child];
        i = child;
    }
    if (n)
        p->heap.data[i] = last;
    return top;
}

static void enqueue(paths *p, uint32_t number) {
    node *at = &p->nodes.data[number];
    if (at->is_queued)
        return;
    at->is_queued = true;
    push(p, key_of(p, at), number);
}

// Takes the next node out of the heap.  An outcome that was new when its node was queued may have
// been shown since: then the node is queued again.
static uint32_t take(paths *p) {
    for (;;) {
        entry e = pop(p);
        node *at = &p->nodes.data[e.node];
        uint64_t key = p->search.path_order == TSL_PATHS_COVERAGE ? key_of(p, at) : e.key;
        if (key <= e.key) {
            at->is_queued = false;
            return e.node;
        }
        push(p, key, e.node);
    }
}

// ---------------------------------------------------------------- next

static bool is_open(const paths *p, const node *at) {
    if (at->alternatives)
        return at->taken < at->alternatives && !TSL_BROKEN(CHOOSE);
    return !tsl_term_is_const(p->inputs->terms, at->goal);
}

static void close_node(paths *p, uint32_t number) {
    node *at = &p->nodes.data[number];
    tsl_inputs_release(p->inputs, at->inputs);
    at->inputs = 0;
}

// Solves for a set of inputs that leads to the node and meets its goal.
static enum tsl_sat solve(paths *p, uint32_t number, uint32_t *set) {
    tsl_vec_clear(&p->conditions);
    for (uint32_t at = number; at; at = p->nodes.data[at].parent)
        if (p->nodes.data[at].came_by.i)
            tsl_vec_push(&p->conditions, p->nodes.data[at].came_by);
    for (size_t i = 0, j = p->conditions.len; i + 1 < j; i++) { // in the order of the path
        tsl_term t = p->conditions.data[i];
        p->conditions.data[i] = p->conditions.data[--j];
        p->conditions.data[j] = t;
    }
    *set = p->nodes.data[number].inputs;
    tsl_inputs_hold(p->inputs, *set);
    return tsl_inputs_solve(p->inputs, &p->conditions, p->nodes.data[number].goal, set);
}

static uint32_t find_choice(const paths *p, uint32_t number, unsigned chose) {
    uint32_t child = p->nodes.data[number].first;
    while (child && p->nodes.data[child].chose != chose)
        child = p->nodes.data[child].next;
    return child;
}

// The alternative to take next.  The first run took number `res`; the others are taken in order.
static unsigned untried(const node *at) {
    unsigned k = at->taken - 1u;
    return k < at->res ? k : k + 1;
}

static void add_schedule(paths *p, uint32_t number, tsl_plan *plan) {
    const node *at = &p->nodes.data[number];
    tsl_vec_clear(&p->way);
    for (uint32_t i = at->alternatives ? p->nodes.data[at->first].piece : at->piece; i;
         i = p->pieces.data[i].before)
        tsl_vec_push(&p->way, i);
    while (p->way.len) {
        const piece *part = &p->pieces.data[tsl_vec_pop(&p->way)];
        for (size_t i = 0; i < part->n; i++)
            tsl_vec_push(&plan->items, p->items.data[part->first + i]);
    }
    if (at->alternatives)
        tsl_vec_last(&plan->items).value = (uint16_t)untried(at);
}

static void fill(paths *p, tsl_plan *plan, uint32_t set) {
    tsl_search_plan(&p->search, TSL_POLICY_STAY, 0, plan);
    tsl_inputs_to_plan(p->inputs, set, plan);
}

static enum tsl_next paths_next(tsl_strategy *strategy, tsl_plan *plan) {
    paths *p = (paths *)strategy;
    if (!p->begun) {
        p->begun = true;
        p->flying_to[p->flying++] = (aim){0};
        fill(p, plan, 0);
        return TSL_NEXT_PLAN;
    }
    while (p->heap.len && p->flying < IN_FLIGHT) {
        uint32_t number = take(p), set = p->nodes.data[number].inputs;
        if (!is_open(p, &p->nodes.data[number])) // another run has met the goal meanwhile
            continue;
        enum tsl_sat answer = TSL_SAT;
        if (p->nodes.data[number].alternatives)
            tsl_inputs_hold(p->inputs, set);
        else
            answer = solve(p, number, &set);
        tsl_claim_weaken(&p->base.claim, TSL_REASON_SOLVER, answer == TSL_UNKNOWN);
        if (answer == TSL_SAT) {
            fill(p, plan, set);
            add_schedule(p, number, plan);
            p->flying_to[p->flying++] = (aim){number, (uint32_t)p->nodes.len};
        } else
            close_node(p, number);
        tsl_inputs_release(p->inputs, set);
        if (answer == TSL_SAT)
            return TSL_NEXT_PLAN;
    }
    return p->flying ? TSL_NEXT_WAIT : TSL_NEXT_DONE;
}

// ---------------------------------------------------------------- learn

static uint32_t find_child(const paths *p, uint32_t number, tsl_term cond) {
    uint32_t child = p->nodes.data[number].first;
    while (child && p->nodes.data[child].came_by.i != cond.i)
        child = p->nodes.data[child].next;
    return child;
}

// Adds a child, which a run with these inputs has shown.
static uint32_t add_node(paths *p, uint32_t number, node child, uint32_t set) {
    uint32_t new = (uint32_t)p->nodes.len;
    child.next = p->nodes.data[number].first;
    tsl_vec_push(&p->nodes, child);
    node *at = &p->nodes.data[number];
    at->first = new;
    bool open = is_open(p, at);
    tsl_inputs_release(p->inputs, at->inputs);
    at->inputs = open ? set : 0;
    tsl_inputs_hold(p->inputs, at->inputs);
    if (open)
        enqueue(p, number);
    return new;
}

// Adds a child for a condition that no run has met here before.
static uint32_t add_child(paths *p, uint32_t number, tsl_term cond, const tsl_decision *d,
                          uint32_t set) {
    node *at = &p->nodes.data[number];
    tsl_term other = tsl_term_not(p->inputs->terms, cond);
    if (!at->first) {
        at->site = d->site;
        at->res = d->taken;
        at->goal = other;
    } else
        at->goal = tsl_term_binary(p->inputs->terms, TSL_EXPR_AND, at->goal, other);
    node child = {.parent = number, .came_by = cond, .depth = at->depth + 1, .piece = at->piece};
    return add_node(p, number, child, set);
}

// Keeps the schedule of the run from one position to another.  The second one comes right after a
// choice, so that choice is the last item of the piece.
static uint32_t keep_piece(paths *p, uint32_t before, const tsl_run *run, size_t from, size_t to) {
    tsl_plan plan;
    tsl_plan_init(&plan);
    tsl_run_schedule_to_plan(run, from, to, &plan);
    tsl_vec_push(&p->pieces, ((piece){before, p->items.len, plan.items.len}));
    for (size_t i = 0; i < plan.items.len; i++)
        tsl_vec_push(&p->items, plan.items.data[i]);
    tsl_plan_drop(&plan);
    return (uint32_t)p->pieces.len - 1;
}

// Adds a child for an alternative that no run has taken here before.  `from` is the position after
// the choice before this one.
static uint32_t add_choice(paths *p, uint32_t number, const tsl_run *run, size_t from,
                           const tsl_decision *d, uint32_t set) {
    uint32_t kept = keep_piece(p, p->nodes.data[number].piece, run, from, d->position + 1);
    node *at = &p->nodes.data[number];
    if (!at->first) {
        at->site = d->site;
        at->res = d->taken;
        at->alternatives = (uint16_t)d->alternatives;
    }
    at->taken++;
    node child = {.parent = number, .chose = d->taken, .depth = at->depth + 1, .piece = kept};
    return add_node(p, number, child, set);
}

// Is the decision of the sort that earlier runs made at this node?  A node is a branch or a choice.
static bool fits(const paths *p, uint32_t number, bool is_choice) {
    const node *at = &p->nodes.data[number];
    return !at->first || is_choice == (at->alternatives > 0);
}

// The decision as a step, for messages.
static tsl_event decided(const tsl_decision *d) {
    return (tsl_event){.kind = d->is_branch ? TSL_EV_BRANCH : TSL_EV_CHOOSE,
                       .thread = d->thread,
                       .site = d->site,
                       .res = d->taken};
}

// The program is not repeatable, so nothing more is learned from this run.
static void stray(paths *p, const tsl_run *run, const tsl_decision *d) {
    p->base.strayed = true;
    tsl_claim_weaken(&p->base.claim, TSL_REASON_DIVERGED, 1);
    if (p->base.diverged++ == 0)
        p->base.divergence =
            (tsl_divergence){.step = tsl_run_steps_before(run, d->position, false) - !d->is_branch,
                             .came = decided(d)};
}

// Counts the branch as covered.  Returns the condition under which it goes that way, or no term if
// no inputs can change the way.
static tsl_term read_branch(paths *p, const tsl_decision *d) {
    tsl_term cond = tsl_inputs_condition(p->inputs, &p->import, d->label, d->taken);
    if (!cond.i)
        return cond;
    tsl_set_insert(&p->covered, outcome_of(d->site, d->taken) + 1);
    if (tsl_term_is_const(p->inputs->terms, cond))
        cond.i = 0;
    return cond;
}

// The run did not go the way that the solver's answer should have led.
static void mispredict(paths *p, uint32_t node) {
    p->base.mispredicted += !p->base.strayed;
    tsl_claim_weaken(&p->base.claim, TSL_REASON_MISPREDICTED, !p->base.strayed);
    if (!p->nodes.data[node].is_queued) // if it is, another run came by meanwhile
        close_node(p, node);
}

static void read_path(paths *p, const tsl_run *run, uint32_t set, aim to) {
    uint32_t at = 0;
    size_t behind_choice = 0;
    bool new = p->nodes.len == 1;
    tsl_decision d;
    for (size_t position = 0; tsl_run_decision(run, &position, &d);) {
        tsl_term cond = {0};
        tsl_deadline_ask();
        if (d.is_branch)
            cond = read_branch(p, &d);
        if (d.is_branch ? !cond.i : d.alternatives < 2 || d.alternatives > UINT16_MAX)
            continue;
        if (!fits(p, at, !d.is_branch)) {
            stray(p, run, &d);
            break;
        }
        uint32_t child = d.is_branch ? find_child(p, at, cond) : find_choice(p, at, d.taken);
        new |= at == to.node && (!child || child >= to.nnodes);
        if (child)
            at = child;
        else
            at = d.is_branch ? add_child(p, at, cond, &d, set)
                             : add_choice(p, at, run, behind_choice, &d, set);
        if (!d.is_branch)
            behind_choice = position;
    }
    if (!new)
        mispredict(p, to.node);
}

static void paths_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run) {
    paths *p = (paths *)strategy;
    (void)plan;
    aim to = p->flying_to[0];
    uint32_t set = 0;
    p->flying--;
    p->base.strayed = false;
    for (unsigned i = 0; i < p->flying; i++)
        p->flying_to[i] = p->flying_to[i + 1];
    bool sound = tsl_inputs_read(p->inputs, &p->import, run, &set);
    bool has_threads = !(run->head->flags & TSL_TRACE_NO_THREADS);
    tsl_claim_weaken(&p->base.claim, TSL_REASON_CONCRETISED, !sound);
    tsl_claim_weaken(&p->base.claim, TSL_REASON_ONE_SCHEDULE, has_threads);
    read_path(p, run, set, to);
    tsl_inputs_release(p->inputs, set);
}

const tsl_strategy_kind tsl_strategy_paths = {
    .name = "paths",
    .one_schedule = true,
    .help = "every path through branches that depend on inputs, under one schedule (--paths)",
    .new = paths_new,
    .next = paths_next,
    .learn = paths_learn,
    .free = paths_free,
};
