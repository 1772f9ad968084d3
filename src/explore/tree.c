#include "explore/tree.h"

#include <string.h>

#include "abi/sabotage.h"
#include "base/err.h"
#include "base/mem.h"
#include "model/state.h"

enum { BRANCH_CHUNK = 256, SHARE_EVERY = 8 };

// ---------------------------------------------------------------- making and freeing

// One that runs, one that waits to run, and who is done has its Trace read meanwhile.
static unsigned cursors_for(unsigned workers) {
    unsigned n = workers ? 2 + 2 * workers : 4;
    return n < TSL_TREE_CURSORS ? n : TSL_TREE_CURSORS;
}

tsl_strategy *tsl_tree_new(const tsl_strategy_kind *kind, const tsl_tree_rule *rule,
                           const tsl_search *search) {
    tsl_tree *tree = tsl_alloc(sizeof *tree);
    tree->base.kind = kind;
    tree->rule = rule;
    tree->search = *search;
    tree->ncursors = rule->several ? cursors_for(search->workers) : 1;
    tsl_rng_init(&tree->rng, search->seed);
    tree->inputs = tsl_inputs_get(search->inputs, search->seed, &search->solver);
    tree->base.inputs = tree->inputs;
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_history_init(&tree->cursors[i].history);
        tree->cursors[i].history.reads_conflict = rule->reads_conflict;
        tsl_import_init(&tree->cursors[i].nodes);
    }
    return &tree->base;
}

static void clear_doubts(tsl_tree *tree, tsl_node *node) {
    for (tsl_doubt *d = node->doubts, *next; d; d = next) {
        next = d->next;
        TSL_BUG_ON(!tree->ending, "a doubt of %u steps was lost", d->n);
        tsl_inputs_release(tree->inputs, d->inputs);
        tsl_free(d);
    }
}

// A list of branches and all below: sequences are long, so not by recursion.
static void free_branches(tsl_tree *tree, tsl_branch *list) {
    while (list) {
        tsl_branch *b = list;
        TSL_BUG_ON(!tree->ending && b->is_leaf && b->state == TSL_BRANCH_OPEN,
                   "a branch of thread %u was lost", b->op.thread);
        list = b->next;
        tsl_inputs_release(tree->inputs, b->inputs);
        if (!b->is_leaf) {
            clear_doubts(tree, &b->inner);
            for (tsl_branch *below = b->inner.first, *next; below; below = next) {
                next = below->next;
                below->next = list;
                list = below;
            }
        }
        b->next = tree->spare;
        tree->spare = b;
    }
}

static void clear_node(tsl_tree *tree, tsl_node *node) {
    clear_doubts(tree, node);
    free_branches(tree, node->first);
}

static void leave_node(tsl_tree *tree, tsl_cursor *c) {
    tsl_node *node = tsl_vec_pop(&c->stops).node;
    if (!node || node->is_inner || --node->users)
        return;
    clear_node(tree, node);
    tsl_free(node);
}

void tsl_tree_free(tsl_strategy *strategy) {
    tsl_tree *tree = (tsl_tree *)strategy;
    tree->ending = true;
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_cursor *c = &tree->cursors[i];
        while (c->stops.len)
            leave_node(tree, c);
        tsl_history_drop(&c->history);
        tsl_vec_drop(&c->path);
        tsl_vec_drop(&c->stops);
        tsl_vec_drop(&c->sleepers);
        tsl_vec_drop(&c->reversals);
        tsl_vec_drop(&c->sleep_start);
        tsl_import_drop(&c->nodes);
    }
    tsl_inputs_drop(tree->inputs);
    tsl_vec_drop(&tree->conditions);
    for (size_t i = 0; i < tree->chunks.len; i++)
        tsl_free(tree->chunks.data[i]);
    tsl_vec_drop(&tree->chunks);
    tsl_order_drop(&tree->order);
    tsl_vec_drop(&tree->races);
    tsl_vec_drop(&tree->rest);
    tsl_vec_drop(&tree->gone);
    tsl_vec_drop(&tree->keep);
    tsl_vec_drop(&tree->awaken);
    tsl_free(tree);
}

// ---------------------------------------------------------------- branches

// They come and go by the million: from a list of spare ones.
static tsl_branch *new_branch(tsl_tree *tree, const tsl_op *op, tsl_hop hop) {
    if (!tree->spare) {
        tsl_branch *chunk = tsl_alloc(BRANCH_CHUNK * sizeof *chunk);
        tsl_vec_push(&tree->chunks, chunk);
        for (unsigned i = 0; i < BRANCH_CHUNK; i++) {
            chunk[i].next = tree->spare;
            tree->spare = &chunk[i];
        }
    }
    tsl_branch *b = tree->spare;
    tree->spare = b->next;
    *b = (tsl_branch){
        .op = *op, .choice = hop.choice, .cond = hop.cond, .pinned = hop.pinned, .is_leaf = true};
    return b;
}

void tsl_tree_lead_to(tsl_tree *tree, tsl_branch *leaf, uint32_t inputs) {
    tsl_inputs_hold(tree->inputs, inputs);
    tsl_inputs_release(tree->inputs, leaf->inputs);
    leaf->inputs = inputs;
}

// The step as the run whose nodes were imported took it.
static tsl_hop hop_of(tsl_tree *tree, const tsl_cursor *c, uint32_t s) {
    const tsl_step *step = &c->history.steps.data[s];
    tsl_hop hop = {.thread = step->thread,
                   .choice = step->nchoices > 1 ? step->choice : TSL_ANY_CHOICE};
    if (step->kind == TSL_EV_BRANCH) {
        hop.choice |= TSL_BRANCH_CHOICE;
        hop.cond = tsl_import_term(&c->nodes, (uint32_t)step->key);
        if (hop.cond.i && (step->choice & TSL_BRANCH_PIN))
            hop.pinned = tsl_import_term(&c->nodes, c->nodes.nodes.data[step->key].a);
        if (hop.cond.i && !(step->choice & TSL_BRANCH_TRUE))
            hop.cond = tsl_term_not(tree->inputs->terms, hop.cond);
    }
    return hop;
}

tsl_node *tsl_tree_node(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    if (c->stops.data[depth].node)
        return c->stops.data[depth].node;
    tsl_node *node = tsl_alloc(sizeof *node);
    tsl_op op = tsl_history_op(&c->history, (uint32_t)depth);
    tsl_branch *b = new_branch(tree, &op, c->path.data[depth]);
    b->state = TSL_BRANCH_TAKEN;
    b->sure = b->executed = true;
    node->first = b;
    node->users = 1;
    c->stops.data[depth].node = node;
    c->stops.data[depth].taken = b;
    return node;
}

tsl_branch *tsl_tree_branches(const tsl_cursor *c, size_t depth) {
    return c->stops.data[depth].node ? c->stops.data[depth].node->first : NULL;
}

static tsl_branch *add_behind(tsl_tree *tree, tsl_branch *left, const tsl_op *op, tsl_hop hop) {
    tsl_branch *b = new_branch(tree, op, hop);
    b->next = left->next;
    return left->next = b;
}

static tsl_branch *add_last(tsl_tree *tree, tsl_node *node, const tsl_op *op, tsl_hop hop) {
    tsl_branch **end = &node->first;
    while (*end)
        end = &(*end)->next;
    return *end = new_branch(tree, op, hop);
}

tsl_branch *tsl_tree_add(tsl_tree *tree, tsl_node *node, const tsl_op *op) {
    tsl_node_count(node, 1);
    tsl_branch *b =
        add_last(tree, node, op, (tsl_hop){.thread = op->thread, .choice = TSL_ANY_CHOICE});
    tsl_tree_lead_to(tree, b, tree->reader->inputs);
    return b;
}

tsl_branch *tsl_tree_add_behind(tsl_tree *tree, tsl_node *node, tsl_branch *behind, tsl_hop hop,
                                tsl_op op) {
    tsl_branch *b = behind ? add_behind(tree, behind, &op, hop) : add_last(tree, node, &op, hop);
    b->sure = true;
    tsl_node_count(node, 1);
    return b;
}

tsl_branch *tsl_tree_add_below(tsl_tree *tree, tsl_node *node, tsl_branch *leaf, tsl_hop hop,
                               tsl_op op) {
    tsl_branch *b = new_branch(tree, &op, hop);
    b->sure = true;
    leaf->is_leaf = false;
    leaf->inner.is_inner = true;
    leaf->inner.above = node;
    leaf->inner.first = b;
    leaf->inner.open = 1;
    return b;
}

// A value that none of the runs so far had here.
static bool another_value(tsl_tree *tree, const tsl_branch *first, tsl_hop *hop) {
    for (const tsl_branch *b = first; b; b = b->next) {
        if (b->must_solve || !b->executed || (TSL_BROKEN(VALUES) && b->next))
            return false; // is asked for already
        tsl_term other = tsl_term_not(tree->inputs->terms, b->cond);
        hop->cond = b == first
                        ? other
                        : tsl_term_binary(tree->inputs->terms, TSL_EXPR_AND, hop->cond, other);
    }
    hop->choice = TSL_BRANCH_CHOICE | TSL_BRANCH_PIN;
    return true;
}

// The other way at a branch: if there are inputs that take it is asked when its turn comes.
static void add_other_way(tsl_tree *tree, tsl_cursor *c, uint32_t s) {
    tsl_hop hop = c->path.data[s];
    bool pin = tsl_hop_is_pin(hop);
    if (TSL_BROKEN(OTHER_WAY) && !pin)
        return;
    hop.choice ^= TSL_BRANCH_TRUE;
    hop.cond = hop.cond.i ? tsl_term_not(tree->inputs->terms, hop.cond) : hop.cond;
    if (!hop.cond.i || tsl_term_is_const(tree->inputs->terms, hop.cond))
        return;
    tsl_tree_node(tree, c, s);
    tsl_branch *own = c->stops.data[s].taken;
    if (pin ? !another_value(tree, c->stops.data[s].node->first, &hop) : own->only)
        return;
    own->only = true;
    tsl_branch *other = pin ? add_last(tree, c->stops.data[s].node, &own->op, hop)
                            : add_behind(tree, own, &own->op, hop);
    other->sure = other->only = other->must_solve = true;
    tsl_tree_lead_to(tree, other, c->inputs);
    tsl_node_count(c->stops.data[s].node, 1);
}

// Other results of a choice are explored right behind the first one, so that the thread
// may sleep once all of them are done.
static void add_alternatives(tsl_tree *tree, tsl_cursor *c, uint32_t s) {
    const tsl_step *step = &c->history.steps.data[s];
    if (TSL_BROKEN(CHOICES))
        return;
    if (step->kind == TSL_EV_BRANCH) {
        add_other_way(tree, c, s);
        return;
    }
    tsl_tree_node(tree, c, s);
    tsl_branch *own = c->stops.data[s].taken, *after = own;
    if (own->only)
        return;
    own->only = true;
    for (unsigned k = 0; k < step->nchoices; k++) {
        if (k == step->choice)
            continue;
        after = add_behind(tree, after, &own->op,
                           (tsl_hop){.thread = step->thread, .choice = (uint16_t)k});
        after->sure = after->only = true;
        tsl_tree_lead_to(tree, after, c->inputs);
        tsl_node_count(c->stops.data[s].node, 1);
    }
}

// ---------------------------------------------------------------- where a cursor stands

static void cut(tsl_tree *tree, tsl_cursor *c, size_t n) {
    tsl_history_cut(&c->history, n);
    while (c->reversals.len && tsl_vec_last(&c->reversals).at >= n)
        c->reversals.len--;
    while (c->stops.len > n + 1)
        if (c->stops.data[c->stops.len - 1].node)
            leave_node(tree, c);
        else
            c->stops.len--;
    c->path.len = n < c->path.len ? n : c->path.len;
    if (c->sleep_start.len > n + 1) {
        c->sleepers.len = c->sleep_start.data[n + 1];
        c->sleep_start.len = n + 1;
    }
}

// The sleep set behind step s, which was just appended.
static void sleep_on(tsl_cursor *c, uint32_t s) {
    size_t n;
    tsl_cursor_sleep(c, s, &n);
    const tsl_node *node = c->stops.data[s].node;
    size_t from = c->sleep_start.data[s], start = c->sleepers.len;
    tsl_vec_push(&c->sleep_start, (uint32_t)start);
    if (n == 0 && (!node || node->first == c->stops.data[s].taken))
        return;
    tsl_op op = tsl_history_op(&c->history, s);
    for (size_t i = 0; i < n; i++) {
        tsl_op sleeping = c->sleepers.data[from + i];
        if (tsl_op_conflict(&sleeping, &op) && !TSL_BROKEN(SLEEP_WAKE))
            continue;
        tsl_op_pass(&sleeping, &op);
        tsl_vec_push(&c->sleepers, sleeping);
    }
    if (!node || TSL_BROKEN(SLEEP_PASS))
        return;
    for (const tsl_branch *b = node->first; b && b != c->stops.data[s].taken; b = b->next) {
        bool again = false;
        for (size_t i = start; i < c->sleepers.len; i++)
            again |= c->sleepers.data[i].thread == b->op.thread;
        if (again || tsl_op_conflict(&b->op, &op))
            continue;
        tsl_op sleeping = b->op;
        tsl_op_pass(&sleeping, &op);
        tsl_vec_push(&c->sleepers, sleeping);
    }
}

// Room for the node before the next step.
static void open_depth(tsl_cursor *c) {
    size_t depth = c->history.steps.len;
    if (c->stops.len == depth) {
        tsl_vec_push(&c->stops, (tsl_stop){NULL, NULL});
    }
    if (c->sleep_start.len == 0)
        tsl_vec_push(&c->sleep_start, 0);
}

void tsl_tree_enabled(const tsl_tree *tree, const tsl_cursor *c, size_t depth, tsl_step_list *out) {
    const tsl_step *steps = c->history.steps.data;
    size_t until = depth ? steps[depth - 1].next_event : 0;
    const tsl_event *events = tree->trace->events;
    while (until < tree->trace->nevents && events[until].kind < TSL_EV_READ)
        until++;
    tsl_vec_clear(out);
    for (size_t i = 0; i < until; i++) {
        if (events[i].kind != TSL_EV_ENABLE && events[i].kind != TSL_EV_DISABLE)
            continue;
        uint32_t thread = events[i].res;
        size_t at = 0;
        while (at < out->len && out->data[at] < thread)
            at++;
        bool there = at < out->len && out->data[at] == thread;
        if (events[i].kind == TSL_EV_ENABLE && !there) {
            tsl_vec_push(out, 0);
            memmove(out->data + at + 1, out->data + at, (out->len - 1 - at) * sizeof *out->data);
            out->data[at] = thread;
        } else if (events[i].kind == TSL_EV_DISABLE && there) {
            memmove(out->data + at, out->data + at + 1, (out->len - 1 - at) * sizeof *out->data);
            out->len--;
        }
    }
}

void tsl_tree_report_races(tsl_tree *tree, const tsl_cursor *c) {
    const tsl_race_sink *sink = tree->search.races;
    if (!sink)
        return;
    uint32_t second = (uint32_t)c->history.steps.len - 1;
    if (!tsl_race_may_be_data(&c->history, second))
        return;
    for (size_t i = 0; i < tree->races.len; i++)
        if (tsl_race_is_data(&c->history, tree->races.data[i].first, second))
            sink->found(sink->self, &c->history, tree->races.data[i].first, second, true);
}

// ---------------------------------------------------------------- learn

static void show_wakes(tsl_tree *tree, tsl_cursor *c, uint32_t s) {
    const tsl_history *h = &c->history;
    for (uint32_t i = h->steps.data[s].wakes; i < tsl_step_wakes_end(h, s); i++) {
        if (!h->wakes.data[i].could_give_up)
            continue;
        bool futex = h->steps.data[s].kind == TSL_EV_FUTEX_WAKE;
        unsigned kind = futex ? TSL_EV_FUTEX_RETURN : TSL_EV_WOKEN;
        tsl_op op = {.thread = h->wakes.data[i].thread, .kind = (uint8_t)kind, .naccesses = 1};
        op.access[0] = tsl_access_make(kind, ETIMEDOUT, h->steps.data[s].key, 1);
        tree->rule->instead(tree, c, s, &op);
    }
}

// The alternatives of what a sequence holds are found elsewhere.
static void new_step(tsl_tree *tree, tsl_cursor *c, uint32_t s, size_t planned) {
    const tsl_node *node = c->stops.data[s].node;
    bool held = s + 1 < planned ||
                (c->history.steps.data[s].kind == TSL_EV_BRANCH && node && node->is_inner);
    if (!held && c->history.steps.data[s].nchoices > 1)
        add_alternatives(tree, c, s);
}

static void note_result(tsl_cursor *c, uint32_t s) {
    tsl_branch *b = c->stops.data[s].taken;
    if (!b || b->executed)
        return;
    b->op = tsl_history_op(&c->history, s);
    b->choice = c->path.data[s].choice;
    b->cond = c->path.data[s].cond;
    b->pinned = c->path.data[s].pinned;
    b->sure = b->executed = true;
    b->risky = false;
}

// A leaf that turned out to stand for nothing new must not stand for anything: away with it.
static void prune(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    for (;; depth--) {
        tsl_node *node = c->stops.data[depth].node;
        tsl_branch **at = &node->first, *gone = c->stops.data[depth].taken;
        while (*at != gone)
            at = &(*at)->next;
        *at = gone->next;
        gone->next = NULL;
        free_branches(tree, gone);
        c->stops.data[depth].taken = NULL;
        if (node->first || node->doubts || !node->is_inner)
            return;
        leave_node(tree, c);
    }
}

// A value that was asked to be another one may be any but those there were.
static bool goes_as_planned(const tsl_cursor *c, uint32_t s, tsl_hop hop) {
    tsl_hop planned = c->path.data[s];
    bool open = tsl_hop_is_pin(planned) && !(planned.choice & TSL_BRANCH_TRUE);
    if (!open || !tsl_hop_is_pin(hop))
        return hop.choice == planned.choice;
    for (const tsl_branch *b = c->stops.data[s].node->first; b; b = b->next)
        if (b->executed && b->cond.i == hop.cond.i)
            return false;
    return true;
}

// A BRANCH follows that nobody knew of when the sequence was added: it gets a node of its own.
static void insert_branch(tsl_tree *tree, tsl_cursor *c, uint32_t s, tsl_hop hop) {
    tsl_stop *stop = &c->stops.data[s];
    tsl_node *node = stop->node;
    tsl_op op = tsl_history_op(&c->history, s);
    tsl_branch *b = new_branch(tree, &op, hop);
    b->is_leaf = false;
    b->inner = (tsl_node){.first = node->first,
                          .above = node,
                          .open = node->open,
                          .is_inner = true,
                          .may_branch = true};
    for (const tsl_doubt *d = node->doubts; d; d = d->next)
        b->inner.open--;
    for (tsl_branch *below = node->first; below; below = below->next)
        below->inner.above = &b->inner;
    node->first = b;
    tsl_stop next = {&b->inner, stop->taken};
    stop->taken = b;
    tsl_vec_push(&c->stops, next);
    for (size_t i = c->stops.len - 1; i > s + 1; i--)
        c->stops.data[i] = c->stops.data[i - 1];
    c->stops.data[s + 1] = next;
    tsl_vec_push(&c->path, hop);
    for (size_t i = c->path.len - 1; i > s; i--)
        c->path.data[i] = c->path.data[i - 1];
    c->path.data[s] = hop;
}

// The run has gone another way than its inputs should have led: something was taken as it came, or
// the solver has guessed.  Nothing is learned from it.
static void mispredict(tsl_tree *tree, tsl_cursor *c, size_t planned) {
    tree->base.mispredicted++;
    tree->base.unsure = true;
    tree->lost = true;
    cut(tree, c, planned - 1);
    prune(tree, c, planned - 1);
    cut(tree, c, c->stops.len - 1);
}

static void read_part(tsl_tree *tree, tsl_cursor *c, const tsl_trace *part, size_t *end) {
    tsl_step_view view;
    size_t planned = *end;
    size_t at = c->history.steps.len ? tsl_vec_last(&c->history.steps).next_event : 0;
    for (; tsl_step_read(part, at, &view); at = view.next) {
        open_depth(c);
        uint32_t s = tsl_history_append(&c->history, &view);
        tsl_hop hop = hop_of(tree, c, s);
        if (s < planned && c->stops.data[s].node && c->stops.data[s].node->may_branch) {
            c->stops.data[s].node->may_branch = false;
            if (tsl_hop_is_branch(hop)) {
                insert_branch(tree, c, s, hop);
                *end = ++planned;
            }
        }
        if (s >= c->path.len)
            tsl_vec_push(&c->path, hop);
        else if (tsl_hop_is_branch(hop) || tsl_hop_is_branch(c->path.data[s])) {
            if (!goes_as_planned(c, s, hop)) {
                mispredict(tree, c, planned);
                return;
            }
            c->path.data[s] = hop;
        } else if (c->path.data[s].choice == TSL_ANY_CHOICE)
            c->path.data[s] = hop;
        if (c->stops.data[s].node || c->sleepers.len > c->sleep_start.data[s]) {
            note_result(c, s);
            sleep_on(c, s);
        } else
            tsl_vec_push(&c->sleep_start, (uint32_t)c->sleepers.len);
        size_t asleep;
        if (tree->rule->wakes_all && s + 1 == planned && tsl_cursor_sleep(c, planned, &asleep)) {
            tree->base.redundant = true;
            cut(tree, c, s);
            prune(tree, c, s);
            cut(tree, c, c->stops.len - 1);
            return;
        }
        if (s >= c->known || tree->rule->finish) {
            if (!tree->rule->races_only || tsl_race_may_be(&c->history))
                tree->rule->step(tree, c, false);
            if (view.nwakes)
                show_wakes(tree, c, s);
        }
        if (s >= c->known)
            new_step(tree, c, s, planned);
    }
}

// The steps that the run shares with the one before are not read again, but inputs that were only
// hoped for may have taken another way there.
static bool shares_prefix(const tsl_trace *trace, const tsl_history *h) {
    for (size_t s = 0, at = 0; s < h->steps.len; at = h->steps.data[s++].next_event) {
        if (h->steps.data[s].kind != TSL_EV_BRANCH)
            continue;
        while (at < trace->nevents && trace->events[at].kind < TSL_EV_READ)
            at++;
        const tsl_event *e = &trace->events[at];
        if (at == trace->nevents || e->kind != TSL_EV_BRANCH || e->res != h->steps.data[s].choice)
            return false;
    }
    return true;
}

// The end of a run is read only if it matters.
static void read_steps(tsl_tree *tree, tsl_cursor *c, size_t planned) {
    const tsl_trace *trace = tree->trace;
    if (tree->inputs->vars.vars.len && !shares_prefix(trace, &c->history)) {
        mispredict(tree, c, planned);
        return;
    }
    bool whole = trace->head->outcome != TSL_OUT_OK || !tree->rule->finish;
    tsl_trace part = whole ? *trace : tsl_step_decisive_part(trace);
    read_part(tree, c, &part, &planned);
    bool more = part.nevents < trace->nevents && !tree->base.redundant && !tree->lost &&
                (c->history.steps.len < planned || c->history.looks_at_ends ||
                 !tsl_history_skip(&c->history, trace, part.nevents, &tree->base.canon));
    if (more)
        read_part(tree, c, trace, &planned);
    if (more || part.nevents == trace->nevents)
        tree->base.canon = tsl_history_hash(&c->history);
}

// What waits for somebody to wake it can't run at any earlier point either.
static bool can_come_earlier(unsigned kind) {
    return kind != TSL_EV_WOKEN && kind != TSL_EV_FUTEX_RETURN && kind != TSL_EV_PAUSE &&
           kind != TSL_EV_BARRIER_LEAVE && kind != TSL_EV_JOIN && kind != TSL_EV_START &&
           kind != TSL_EV_AWAIT;
}

// The step after which the run failed, or TSL_NONE if it did not.  What others had not
// done yet could come before it, and then it may not fail: it conflicts with everything.
static uint32_t failing_step(tsl_tree *tree, tsl_cursor *c) {
    const tsl_trace_head *head = tree->trace->head;
    if (!tsl_outcome_is_bug(head->outcome) || head->outcome == TSL_OUT_DEADLOCK ||
        head->outcome == TSL_OUT_LIVELOCK)
        return TSL_NONE;
    tsl_history *h = &c->history;
    unsigned slot = h->slot_of[head->thread % TSL_MAX_THREADS];
    uint32_t s = slot ? h->slots.data[slot - 1].last : TSL_NONE;
    while (s != TSL_NONE && h->steps.data[s].kind == TSL_EV_BRANCH) // it belongs to the one before
        s = h->steps.data[s].before;
    if (s == TSL_NONE)
        return s;
    h->steps.data[s].unknown = h->has_odd = true;
    if (c->stops.data[s].taken)
        c->stops.data[s].taken->op.unknown = true;
    return s;
}

// Could the step appended last run at the end of the run?
static bool could_run(const tsl_history *h) {
    const tsl_step *step = &tsl_vec_last(&h->steps);
    if (!tsl_state_blocks(step->kind) || step->touches == h->touches.len)
        return true;
    uint32_t prev = h->touches.data[step->touches].prev;
    return tsl_state_enabled(prev == TSL_NONE ? 0 : h->touches.data[prev].state, step->kind,
                             step->thread);
}

static const tsl_op *asleep_at_end(const tsl_tree *tree, const tsl_cursor *c, unsigned thread) {
    size_t n;
    const tsl_op *sleep = tsl_cursor_sleep(c, c->history.steps.len, &n);
    for (size_t i = 0; tree->base.redundant && tree->rule->sleeps && i < n; i++)
        if (sleep[i].thread == thread)
            return &sleep[i];
    return NULL;
}

static void read_pending(tsl_tree *tree, tsl_cursor *c) {
    if (TSL_BROKEN(PENDING))
        return;
    uint32_t failing = failing_step(tree, c);
    tsl_step_view view;
    size_t at = c->history.steps.len ? tsl_vec_last(&c->history.steps).next_event : 0;
    // They stand among the notes of the last step.
    if (c->history.steps.len)
        while (at > 0 && tree->trace->events[at - 1].kind < TSL_EV_READ)
            at--;
    size_t n = c->history.steps.len;
    while (tsl_step_read_pending(tree->trace, &at, &view)) {
        bool starts = view.op.kind == TSL_EV_START && failing != TSL_NONE;
        const tsl_op *asleep = asleep_at_end(tree, c, view.op.thread);
        if (!asleep && !can_come_earlier(view.op.kind) && !starts)
            continue;
        if (asleep)
            view.op = *asleep;
        view.next = 0;
        tsl_history_append(&c->history, &view);
        tree->rule->step(tree, c, true);
        bool now = failing != TSL_NONE && could_run(&c->history);
        tsl_history_cut(&c->history, n);
        if (now)
            tree->rule->instead(tree, c, failing, &view.op);
    }
}

// The part of the tree that is explored, if at each node on the way all branches lead to as much:
// those that are done, and of the one taken what is done below.  Branches that races will add later
// are not known yet, so it is too much at first.
static double share_of(const tsl_cursor *c) {
    double share = 0, part = 1;
    for (size_t i = 0; i < c->stops.len; i++) {
        if (!c->stops.data[i].node)
            continue;
        double all = 0, done = 0;
        for (const tsl_branch *b = c->stops.data[i].node->first; b; b = b->next) {
            bool taken = b == c->stops.data[i].taken;
            all++;
            done += !taken && b->is_leaf && b->state == TSL_BRANCH_DONE;
            done += !taken && b->is_leaf && b->state == TSL_BRANCH_TAKEN ? 0.5 : 0;
        }
        if (all > 0) {
            share += part * done / all;
            part /= all;
        }
    }
    return share + part;
}

static void meet_threads(tsl_tree *tree, const tsl_history *h) {
    tree->threads = h->slots.len;
    for (size_t i = 0; i < h->slots.len; i++)
        tsl_order_thread(&tree->order, h->slots.data[i].thread);
}

static bool has_steps(const tsl_trace *trace) { return trace->nevents > 0; }

void tsl_tree_start_over(tsl_tree *tree) { tree->must_start_over = true; }

static void start_over(tsl_tree *tree) {
    tree->must_start_over = false;
    tree->ending = true;
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_cursor *c = &tree->cursors[i];
        while (c->stops.len)
            leave_node(tree, c);
        cut(tree, c, 0);
        tsl_inputs_release(tree->inputs, c->inputs);
        c->inputs = 0;
        c->known = 0;
        c->history.coarse = true;
        c->state = TSL_CURSOR_IDLE;
        c->begun = false;
    }
    tree->ending = tree->begun = false;
    tree->discard = tree->nflying;
    tree->base.share = 0;
    tree->base.unsure = false;
    tree->base.begun_again = true;
}

void tsl_tree_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_trace *trace) {
    (void)plan;
    tsl_tree *tree = (tsl_tree *)strategy;
    tsl_cursor *c = &tree->cursors[tree->flying[0]];
    memmove(tree->flying, tree->flying + 1, --tree->nflying * sizeof *tree->flying);
    tree->base.ignored = tree->discard > 0;
    if (tree->discard) {
        tree->discard--;
        return;
    }
    tree->trace = trace;
    tree->reader = c;
    tree->lost = false;
    tree->base.unsure |= !tsl_inputs_read(tree->inputs, &c->nodes, trace, &c->inputs);
    c->kept = c->history.steps.len;
    tree->base.redundant = trace->head->outcome == TSL_OUT_REDUNDANT;
    if (has_steps(trace))
        read_steps(tree, c, c->path.len);
    // Who is blocked at the end of a redundant run may be so in no other one.
    if (has_steps(trace) && !tree->lost && (!tree->base.redundant || tree->rule->sleeps))
        read_pending(tree, c);
    if (c->history.slots.len > tree->threads)
        meet_threads(tree, &c->history);
    if (tree->rule->finish && !tree->lost)
        tree->rule->finish(tree, c);
    if (tree->learned++ % SHARE_EVERY == 0) // an estimate may be rough
        tree->base.share = share_of(c);
    tree->trace = NULL;
    c->state = TSL_CURSOR_IDLE;
    c->begun = true;
    if (tree->must_start_over)
        start_over(tree);
}

// ---------------------------------------------------------------- next

// One of the open leaves at random is put in front of the others.  Those in front of something
// begun stay there, and so do other results of a choice: see sleep_on.
static void shuffle(tsl_tree *tree, tsl_node *node) {
    tsl_branch **first = &node->first;
    size_t n = 0;
    for (tsl_branch **b = first; *b; b = &(*b)->next) {
        bool fixed = !(*b)->is_leaf || (*b)->only || (*b)->state != TSL_BRANCH_OPEN;
        n = fixed ? 0 : n + 1;
        first = fixed ? &(*b)->next : first;
    }
    if (n < 2)
        return;
    tsl_branch **at = first;
    for (size_t take = tsl_rng_below(&tree->rng, n); take > 0; take--)
        at = &(*at)->next;
    tsl_branch *b = *at;
    *at = b->next;
    b->next = *first;
    *first = b;
}

// The leftmost open leaf of the wakeup tree that hangs from a node: the branches that lead
// to it.  What is to its left was run at least once: then it is known what would sleep.
// (If not, another cursor is busy there and will come by here.)
typedef TSL_VEC(tsl_branch *) way;

static tsl_branch *enter(tsl_tree *tree, tsl_node *node) {
    if (!node->open)
        return NULL;
    if (node->doubts && tree->rule->settle)
        tree->rule->settle(tree, node);
    if (tree->search.random_order)
        shuffle(tree, node);
    return node->first;
}

static bool find_open(tsl_tree *tree, tsl_node *node, way *out) {
    tsl_branch *b = enter(tree, node);
    for (;;) {
        if (!b && !out->len)
            return false;
        if (b) {
            tsl_vec_push(out, b);
            if (b->is_leaf && b->state == TSL_BRANCH_OPEN)
                return true;
            tsl_branch *below = b->is_leaf ? NULL : enter(tree, &b->inner);
            if (below) {
                b = below;
                continue;
            }
        }
        b = tsl_vec_pop(out);
        b = b->executed ? b->next : NULL;
    }
}

// Nothing leads there: it is as good as explored.
static void give_up(tsl_node *node, tsl_branch *leaf) {
    leaf->state = TSL_BRANCH_DONE;
    leaf->executed = true;
    tsl_node_count(node, -1);
}

// Are there inputs that lead from the cursor's node before step `depth` to the leaf?
static bool solve(tsl_tree *tree, const tsl_cursor *c, size_t depth, const way *to) {
    tsl_branch *leaf = tsl_vec_last(to);
    tsl_vec_clear(&tree->conditions);
    for (size_t i = 0; i < depth; i++)
        if (c->path.data[i].cond.i)
            tsl_vec_push(&tree->conditions, c->path.data[i].cond);
    for (size_t i = 0; i + 1 < to->len; i++)
        if (to->data[i]->cond.i)
            tsl_vec_push(&tree->conditions, to->data[i]->cond);
    enum tsl_sat answer =
        tsl_inputs_solve(tree->inputs, &tree->conditions, leaf->cond, &leaf->inputs);
    tree->base.unsure |= answer == TSL_UNKNOWN;
    leaf->must_solve = false;
    return answer == TSL_SAT;
}

// As find_open, of leaves that inputs lead to.
static bool find_feasible(tsl_tree *tree, const tsl_cursor *c, size_t depth, tsl_node *node,
                          way *to) {
    while (find_open(tree, node, to)) {
        tsl_branch *leaf = tsl_vec_last(to);
        if (!leaf->must_solve || solve(tree, c, depth, to))
            return true;
        give_up(to->len > 1 ? &to->data[to->len - 2]->inner : node, leaf);
        tsl_vec_clear(to);
    }
    return false;
}

// The cursor stands at the node before step `depth`; its next run takes this way.
static void go(tsl_tree *tree, tsl_cursor *c, size_t depth, const way *to) {
    cut(tree, c, depth);
    c->known = depth;
    bool seen = true;
    for (size_t i = 0; i < to->len; i++) {
        tsl_branch *b = to->data[i];
        seen &= b->executed;
        c->known += seen;
        c->stops.data[depth + i].taken = b;
        tsl_vec_push(&c->path, tsl_branch_hop(b));
        if (!b->is_leaf) {
            tsl_vec_push(&c->stops, (tsl_stop){&b->inner, NULL});
        } else {
            b->state = TSL_BRANCH_TAKEN;
            tsl_node_count(c->stops.data[depth + i].node, -1);
            tsl_inputs_hold(tree->inputs, b->inputs);
            tsl_inputs_release(tree->inputs, c->inputs);
            c->inputs = b->inputs;
        }
    }
    c->state = TSL_CURSOR_READY;
}

// Back to the deepest node with an open leaf.
static bool backtrack(tsl_tree *tree, tsl_cursor *c) {
    way to = {0};
    while (c->stops.len && c->state != TSL_CURSOR_READY) {
        size_t depth = c->stops.len - 1;
        tsl_node *node = c->stops.data[depth].node;
        if (node) {
            cut(tree, c, depth);
            if (c->stops.data[depth].taken)
                c->stops.data[depth].taken->state = TSL_BRANCH_DONE;
            if (find_feasible(tree, c, depth, node, &to))
                go(tree, c, depth, &to);
        }
        if (c->state != TSL_CURSOR_READY)
            leave_node(tree, c);
    }
    tsl_vec_drop(&to);
    if (c->state == TSL_CURSOR_READY)
        return true;
    cut(tree, c, 0);
    c->begun = false;
    return false;
}

// ---------------------------------------------------------------- several cursors

static void share(tsl_tree *tree, tsl_cursor *thief, tsl_cursor *from, size_t depth) {
    for (size_t i = 0; i <= depth; i++) {
        tsl_node *node = tsl_tree_node(tree, from, i);
        tsl_vec_push(&thief->stops, (tsl_stop){node, from->stops.data[i].taken});
        node->users += !node->is_inner;
        if (i < depth)
            tsl_vec_push(&thief->path, from->path.data[i]);
    }
}

static bool take_over(tsl_tree *tree, tsl_cursor *thief, tsl_cursor *from, way *to) {
    for (size_t depth = 0; depth < from->stops.len; depth++) {
        tsl_node *node = from->stops.data[depth].node;
        if (!node || !find_feasible(tree, from, depth, node, to))
            continue;
        share(tree, thief, from, depth);
        go(tree, thief, depth, to);
        thief->begun = true;
        return true;
    }
    return false;
}

// A cursor with nothing to do takes a leaf off another one's way, as far up as it can.
static bool find_work(tsl_tree *tree, tsl_cursor *c) {
    way to = {0};
    for (unsigned i = 0; i < tree->ncursors && c->state == TSL_CURSOR_IDLE; i++)
        if (&tree->cursors[i] != c && tree->cursors[i].state == TSL_CURSOR_FLYING)
            take_over(tree, c, &tree->cursors[i], &to);
    tsl_vec_drop(&to);
    return c->state == TSL_CURSOR_READY;
}

static tsl_cursor *ready_cursor(tsl_tree *tree) {
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_cursor *c = &tree->cursors[i];
        if (c->state == TSL_CURSOR_IDLE && c->begun)
            backtrack(tree, c);
        if (c->state == TSL_CURSOR_READY)
            return c;
    }
    for (unsigned i = 0; i < tree->ncursors; i++)
        if (tree->cursors[i].state == TSL_CURSOR_IDLE && find_work(tree, &tree->cursors[i]))
            return &tree->cursors[i];
    return NULL;
}

// ---------------------------------------------------------------- the Plan

static void add_path(tsl_plan *plan, const tsl_cursor *c) {
    const tsl_hop *hop = c->path.data, *end = hop + c->path.len;
    tsl_vec_reserve(&plan->items, 2 * c->path.len);
    tsl_item *item = plan->items.data;
    tsl_item *run = NULL; // that may go on
    for (; hop < end; hop++) {
        if (tsl_hop_is_branch(*hop)) // takes no turn
            continue;
        if (run && run->value == hop->thread)
            run->count++;
        else {
            run = item++;
            *run = (tsl_item){.kind = TSL_ITEM_RUN, .value = hop->thread, .count = 1};
        }
        if (hop->choice == TSL_ANY_CHOICE)
            continue;
        *item++ = (tsl_item){.kind = TSL_ITEM_CHOICE, .value = hop->choice, .count = 1};
        run = NULL;
    }
    plan->items.len = (size_t)(item - plan->items.data);
}

typedef TSL_VEC(tsl_op) op_set;

static void fall_asleep(op_set *set, tsl_op op) {
    for (size_t i = 0; i < set->len; i++)
        if (set->data[i].thread == op.thread)
            return;
    tsl_vec_push(set, op);
}

static void pass(op_set *set, const tsl_op *executed) {
    size_t kept = 0;
    for (size_t i = 0; i < set->len; i++) {
        if (tsl_op_conflict(&set->data[i], executed))
            continue;
        tsl_op_pass(&set->data[i], executed);
        set->data[kept++] = set->data[i];
    }
    set->len = kept;
}

// The sleep set before the last step of the prefix.
static void add_sleep(const tsl_tree *tree, const tsl_cursor *c, tsl_plan *plan) {
    if (!c->path.len)
        return;
    size_t last = c->path.len - 1, depth = c->history.steps.len, n;
    if (!tree->rule->sleeps)
        return;
    const tsl_op *sleep = tsl_cursor_sleep(c, depth, &n);
    op_set set = {0};
    for (size_t i = 0; i < n; i++)
        tsl_vec_push(&set, sleep[i]);
    for (;; depth++) {
        const tsl_branch *own = c->stops.data[depth].taken;
        for (const tsl_branch *b = c->stops.data[depth].node->first; b != own; b = b->next)
            if (b->op.thread != own->op.thread)
                fall_asleep(&set, b->op);
        if (depth == last)
            break;
        pass(&set, &own->op);
    }
    for (size_t i = 0; i < set.len; i++)
        if (set.data[i].thread != c->path.data[last].thread)
            tsl_op_to_events(&set.data[i], &plan->sleep);
    tsl_vec_drop(&set);
}

enum tsl_next tsl_tree_next(tsl_strategy *strategy, tsl_plan *plan) {
    tsl_tree *tree = (tsl_tree *)strategy;
    tsl_cursor *c = tree->begun ? ready_cursor(tree) : &tree->cursors[0];
    if (!c)
        return tree->nflying ? TSL_NEXT_WAIT : TSL_NEXT_DONE;
    tree->begun = true;
    plan->seed = tsl_rng_next(&tree->rng);
    plan->policy = tree->search.random_order ? TSL_POLICY_RANDOM
                   : tree->rule->wakes_all   ? TSL_POLICY_EAGER
                                             : TSL_POLICY_STAY;
    plan->max_steps = tree->search.max_steps;
    plan->flags = tree->search.flags | (tree->rule->wakes_all ? 0u : TSL_PLAN_ENABLED);
    plan->flags |= TSL_PLAN_SYMBOLIC | TSL_PLAN_SPIN_ENDS;
    plan->max_branches = tree->search.max_branches;
    tsl_inputs_to_plan(tree->inputs, c->inputs, plan);
    tsl_vec_clear(&plan->items);
    tsl_vec_clear(&plan->sleep);
    if (plan->policy == TSL_POLICY_EAGER)
        tsl_order_to_plan(&tree->order, plan);
    add_path(plan, c);
    add_sleep(tree, c, plan);
    c->state = TSL_CURSOR_FLYING;
    tree->flying[tree->nflying++] = (unsigned)(c - tree->cursors);
    return TSL_NEXT_PLAN;
}
