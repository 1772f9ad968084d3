// What has a run of the search shown?
//
// Its steps, the other sides of its input branches, what sleeps behind each step, and what threads
// stood before when the run ended.
#include <string.h>

#include "base/deadline.h"
#include "explore/tree_inner.h"

enum { SHARE_EVERY = 8 };

// ---------------------------------------------------------------- steps

// How the run went at step s.  The nodes of its conditions have been imported.
static tsl_hop hop_of(tsl_tree *tree, const tsl_cursor *c, uint32_t s) {
    const tsl_step *step = &c->history.steps.data[s];
    tsl_hop hop = {.thread = step->thread,
                   .choice = step->nchoices > 1 ? step->choice : TSL_ANY_CHOICE};
    if (step->kind == TSL_EV_BRANCH) {
        hop.choice |= TSL_BRANCH_CHOICE;
        hop.cond = tsl_inputs_condition(tree->inputs, &c->nodes, step->key, step->choice);
        if (hop.cond.i && (step->choice & TSL_BRANCH_PIN)) {
            hop.pinned = tsl_import_term(&c->nodes, c->nodes.nodes.data[step->key].a);
            hop.cond = hop.pinned.i ? hop.cond : (tsl_term){0};
        }
    }
    return hop;
}

// A value that none of the runs so far had here.
static bool another_value(tsl_tree *tree, const tsl_edge *first, tsl_hop *hop) {
    for (const tsl_edge *edge = first; edge; edge = edge->next) {
        if (edge->must_solve || !edge->executed || (TSL_BROKEN(VALUES) && edge->next))
            return false; // another value is asked for already
        tsl_term other = tsl_term_not(tree->inputs->terms, edge->cond);
        hop->cond = edge == first
                        ? other
                        : tsl_term_binary(tree->inputs->terms, TSL_EXPR_AND, hop->cond, other);
    }
    hop->choice = TSL_BRANCH_CHOICE | TSL_BRANCH_PIN;
    return true;
}

// The other side of an input branch.  Whether there are inputs that take it is asked when its turn
// comes.
static void add_other_side(tsl_tree *tree, tsl_cursor *c, uint32_t s) {
    tsl_hop hop = c->path.data[s];
    bool pin = tsl_hop_is_pin(hop);
    if (TSL_BROKEN(OTHER_WAY) && !pin)
        return;
    hop.choice ^= TSL_BRANCH_TRUE;
    hop.cond = hop.cond.i ? tsl_term_not(tree->inputs->terms, hop.cond) : hop.cond;
    if (!hop.cond.i || tsl_term_is_const(tree->inputs->terms, hop.cond))
        return;
    tsl_tree_node *node = tsl_tree_node_at(tree, c, s);
    tsl_edge *own = c->stops.data[s].taken;
    if (pin ? !another_value(tree, node->first, &hop) : own->only)
        return;
    own->only = true;
    tsl_edge *other = tsl_tree_add_edge(tree, node, pin ? NULL : own, hop, &own->op);
    other->sure = other->only = other->must_solve = true;
    tsl_tree_lead_to(tree, other, c->inputs);
}

// Other alternatives of a choice are explored right behind the first one, so that the thread may
// sleep once all of them are done.
static void add_alternatives(tsl_tree *tree, tsl_cursor *c, uint32_t s) {
    const tsl_step *step = &c->history.steps.data[s];
    if (TSL_BROKEN(CHOICES))
        return;
    if (step->kind == TSL_EV_BRANCH) {
        add_other_side(tree, c, s);
        return;
    }
    tsl_tree_node *node = tsl_tree_node_at(tree, c, s);
    tsl_edge *own = c->stops.data[s].taken, *after = own;
    if (own->only)
        return;
    own->only = true;
    for (unsigned k = 0; k < step->nchoices; k++) {
        if (k == step->choice)
            continue;
        tsl_hop hop = {.thread = step->thread, .choice = (uint16_t)k};
        after = tsl_tree_add_edge(tree, node, after, hop, &own->op);
        after->sure = after->only = true;
        tsl_tree_lead_to(tree, after, c->inputs);
    }
}

// `sleeping` goes on sleeping behind the step.
static void pass_on(tsl_cursor *c, tsl_op sleeping, const tsl_op *step) {
    tsl_op_pass(&sleeping, step);
    tsl_vec_push(&c->sleepers, sleeping);
}

// The sleep set behind step s, which was just appended.
static void sleep_on(tsl_cursor *c, uint32_t s, const tsl_op *op) {
    size_t n;
    tsl_sleep_set(c, s, &n);
    const tsl_tree_node *node = c->stops.data[s].node;
    size_t from = c->sleep_start.data[s], start = c->sleepers.len;
    tsl_vec_push(&c->sleep_start, (uint32_t)start);
    if (n == 0 && (!node || node->first == c->stops.data[s].taken))
        return;
    for (size_t i = from; i < from + n; i++)
        if (!tsl_op_conflict(&c->sleepers.data[i], op) || TSL_BROKEN(SLEEP_WAKE))
            pass_on(c, c->sleepers.data[i], op);
    if (!node || TSL_BROKEN(SLEEP_PASS))
        return;
    for (const tsl_edge *edge = node->first; edge && edge != c->stops.data[s].taken;
         edge = edge->next)
        if (!tsl_ops_have(&c->sleepers, start, edge->op.thread) && !tsl_op_conflict(&edge->op, op))
            pass_on(c, edge->op, op);
}

// Room for the node before the next step.
static void open_depth(tsl_cursor *c) {
    size_t depth = c->history.steps.len;
    if (c->stops.len == depth)
        tsl_vec_push(&c->stops, (tsl_stop){NULL, NULL});
    if (c->sleep_start.len == 0)
        tsl_vec_push(&c->sleep_start, 0);
}

// ---------------------------------------------------------------- learn

// Step s took a thread out of a queue.  The thread could have left the queue by itself.
static void leave_instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_wake *wake) {
    const tsl_history *h = &c->history;
    bool futex = h->steps.data[s].kind == TSL_EV_FUTEX_WAKE;
    unsigned kind = futex ? TSL_EV_FUTEX_RETURN : TSL_EV_WOKEN;
    tsl_op op = {.thread = wake->thread, .kind = (uint8_t)kind, .naccesses = 1};
    uint64_t size = h->accesses.data[h->steps.data[s].accesses].size; // of the same object
    op.access[0] = tsl_access_make(kind, ETIMEDOUT, h->steps.data[s].key, size);
    if (wake->reads_request && !TSL_BROKEN(REQUEST_LEAVES))
        op.access[op.naccesses++] = tsl_request_access(wake->thread, TSL_REQUEST_SEEN);
    tree->rule->instead(tree, c, s, &op);
}

static void show_wakes(tsl_tree *tree, tsl_cursor *c, uint32_t s) {
    const tsl_history *h = &c->history;
    for (uint32_t i = h->steps.data[s].wakes; i < tsl_step_wakes_end(h, s); i++)
        if (h->wakes.data[i].could_give_up)
            leave_instead(tree, c, s, &h->wakes.data[i]);
}

// Step s, a request to cancel, finds a waiter that was signalled and has not gone on.  Had the
// request come before the signal, the waiter could have left the queue by itself.
static void show_request(tsl_tree *tree, tsl_cursor *c, uint32_t s) {
    const tsl_history *h = &c->history;
    unsigned slot = h->slot_of[h->steps.data[s].res % TSL_MAX_THREADS];
    uint32_t by = slot ? h->slots.data[slot - 1].wake : TSL_NONE;
    if (by == TSL_NONE || tsl_history_before(h, by, s) || TSL_BROKEN(REQUEST_LATE))
        return;
    for (uint32_t i = h->steps.data[by].wakes; i < tsl_step_wakes_end(h, by); i++)
        if (h->wakes.data[i].thread == h->steps.data[s].res && h->wakes.data[i].reads_request)
            leave_instead(tree, c, by, &h->wakes.data[i]);
}

static void note_result(tsl_cursor *c, uint32_t s, const tsl_op *op) {
    tsl_edge *edge = c->stops.data[s].taken;
    const tsl_hop *hop = &c->path.data[s];
    if (!edge || edge->executed)
        return;
    edge->op = *op;
    edge->choice = hop->choice;
    edge->cond = hop->cond;
    edge->pinned = hop->pinned;
    edge->sure = edge->executed = true;
    edge->risky = false;
}

// Where another value was asked for, any value will do that no run had there.
static bool goes_as_planned(const tsl_cursor *c, uint32_t s, tsl_hop hop) {
    tsl_hop planned = c->path.data[s];
    bool open = tsl_hop_is_pin(planned) && !(planned.choice & TSL_BRANCH_TRUE);
    if (!open || !tsl_hop_is_pin(hop))
        return hop.choice == planned.choice;
    for (const tsl_edge *edge = c->stops.data[s].node->first; edge; edge = edge->next)
        if (edge->executed && edge->cond.i == hop.cond.i)
            return false;
    return true;
}

// An input branch follows that was not known when the sequence was added: it gets a node of its own.
static void insert_input_branch(tsl_tree *tree, tsl_cursor *c, uint32_t s, tsl_hop hop) {
    tsl_stop *stop = &c->stops.data[s];
    tsl_tree_node *node = stop->node;
    tsl_op op = tsl_history_op(&c->history, s);
    tsl_edge *edge = tsl_edge_new(tree, &op, hop);
    edge->is_leaf = false;
    edge->inner = (tsl_tree_node){.first = node->first,
                                  .above = node,
                                  .open = node->open,
                                  .is_inner = true,
                                  .may_branch = true};
    for (const tsl_doubt *d = node->doubts; d; d = d->next)
        edge->inner.open--;
    for (tsl_edge *below = node->first; below; below = below->next)
        below->inner.above = &edge->inner;
    node->first = edge;
    tsl_stop next = {&edge->inner, stop->taken};
    stop->taken = edge;
    tsl_vec_insert(&c->stops, s + 1, next);
    tsl_vec_insert(&c->path, s, hop);
}

// The run did not go where its inputs should have led, because a value was not followed or the
// solver has guessed.  Nothing is learned from the run.
static void mispredict(tsl_tree *tree, tsl_cursor *c, size_t planned) {
    tree->base.mispredicted++;
    tsl_claim_weaken(&tree->base.claim, TSL_REASON_MISPREDICTED, 1);
    tsl_tree_stray(tree, c, planned, NULL);
}

// Something sleeps on behind a step that was to wake everything.  That is to be feared if one of the
// two was only guessed to conflict with everything when the edges were put side by side.
static bool was_guessed(const tsl_cursor *c, size_t planned) {
    size_t n;
    const tsl_op *sleep = tsl_sleep_set(c, planned, &n);
    for (size_t d = 0; d < planned; d++) {
        const tsl_tree_node *node = c->stops.data[d].node;
        for (const tsl_edge *edge = node ? node->first : NULL; edge; edge = edge->next)
            for (size_t i = 0; i < n && edge->guessed; i++)
                if (edge == c->stops.data[d].taken || edge->op.thread == sleep[i].thread)
                    return true;
    }
    return false;
}

// Step s was planned.  False: the run did not take it, and strays.
static bool goes_on_as_planned(tsl_tree *tree, tsl_cursor *c, uint32_t s, tsl_hop hop,
                               size_t planned, const tsl_op *op) {
    tsl_hop *expected = &c->path.data[s];
    if (!tsl_hop_is_branch(hop) && !tsl_hop_is_branch(*expected)) {
        if (!tsl_tree_follows(tree, c, s, hop, planned, op))
            return false;
        if (expected->choice == TSL_ANY_CHOICE)
            *expected = hop;
        return true;
    }
    if (goes_as_planned(c, s, hop)) {
        *expected = hop;
        return true;
    }
    mispredict(tree, c, planned);
    return false;
}

// Step s gets its place on the path and the sleep set behind it.  False: the run strays.
static bool place_step(tsl_tree *tree, tsl_cursor *c, uint32_t s, tsl_hop hop, size_t planned) {
    bool planned_here = s < c->path.len;
    bool looked_at = c->stops.data[s].node || c->sleepers.len > c->sleep_start.data[s];
    tsl_op op; // not made where nothing looks at it
    if (planned_here || looked_at)
        op = tsl_history_op(&c->history, s);
    if (!planned_here)
        tsl_vec_push(&c->path, hop);
    else if (!goes_on_as_planned(tree, c, s, hop, planned, &op))
        return false;
    if (looked_at) {
        note_result(c, s, &op);
        sleep_on(c, s, &op);
    } else
        tsl_vec_push(&c->sleep_start, (uint32_t)c->sleepers.len);
    return true;
}

// Something sleeps behind the last planned step s.  If that was not to be feared, the step is not
// what it was to be.  What an atomic section accesses depends on what it reads, so it can't be known
// beforehand: then the search begins again with a rule that need not know.
static void drop_redundant(tsl_tree *tree, tsl_cursor *c, uint32_t s, unsigned kind) {
    tree->base.redundant = true;
    if (kind == TSL_EV_SECTION)
        tree->as_source = tree->must_start_over = true;
    else if (!tsl_claim_has(&tree->base.claim, TSL_REASON_UNPREDICTED) && !was_guessed(c, s + 1))
        tsl_claim_weaken(&tree->base.claim, TSL_REASON_DIVERGED, 1);
    tsl_tree_prune(tree, c, s);
}

// The rule sees steps that are new to it; a rule that looks at whole runs sees all.
static void show_step(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_step_view *view) {
    if (s < c->known && !tree->rule->finish)
        return;
    if (!tree->rule->races_only || tsl_race_may_be(&c->history))
        tree->rule->step(tree, c, false);
    if (view->nwakes)
        show_wakes(tree, c, s);
    if (view->op.kind == TSL_EV_CANCEL)
        show_request(tree, c, s);
}

// The alternatives of steps that a wakeup sequence has are added by the sequence.
static bool has_new_alternatives(const tsl_cursor *c, uint32_t s, size_t planned) {
    const tsl_step *step = &c->history.steps.data[s];
    const tsl_tree_node *node = c->stops.data[s].node;
    bool held = s + 1 < planned || (step->kind == TSL_EV_BRANCH && node && node->is_inner);
    return s >= c->known && step->nchoices > 1 && !held;
}

static bool meets_input_branch(const tsl_cursor *c, uint32_t s, tsl_hop hop) {
    tsl_tree_node *node = c->stops.data[s].node;
    if (!node || !node->may_branch)
        return false;
    node->may_branch = false;
    return tsl_hop_is_branch(hop);
}

static void read_part(tsl_tree *tree, tsl_cursor *c, const tsl_run *part, size_t *planned) {
    tsl_step_view view;
    size_t asleep;
    for (size_t at = tsl_history_position(&c->history); tsl_run_step(part, at, &view);
         at = view.next) {
        tsl_deadline_ask();
        open_depth(c);
        uint32_t s = tsl_history_append(&c->history, &view);
        if (s && c->history.inside == s)
            tsl_tree_report_inside(tree, c);
        tsl_hop hop = hop_of(tree, c, s);
        if (s < *planned && meets_input_branch(c, s, hop)) {
            insert_input_branch(tree, c, s, hop);
            ++*planned;
        }
        if (!place_step(tree, c, s, hop, *planned))
            return;
        if (tree->rule->wakes_all && s + 1 == *planned && tsl_sleep_set(c, *planned, &asleep)) {
            drop_redundant(tree, c, s, view.op.kind);
            return;
        }
        show_step(tree, c, s, &view);
        if (has_new_alternatives(c, s, *planned))
            add_alternatives(tree, c, s);
    }
}

// Whether a compare-and-swap stored may be decided by inputs; then it is not a matter of dependence.
static void note_outcome(tsl_history *h, size_t s, const tsl_event *e) {
    h->steps.data[s].res = e->res;
    h->steps.data[s].order = TSL_ARG_ORDER(e->arg) & 127;
    h->accesses.data[h->steps.data[s].accesses].res = e->res;
}

// The steps that the run shares with the one before are not read again, but inputs that the solver
// has guessed may have led elsewhere there.
static bool shares_prefix(const tsl_run *run, tsl_history *h) {
    for (size_t s = 0, at = 0; s < h->steps.len; at = h->steps.data[s++].next_event) {
        unsigned kind = h->steps.data[s].kind;
        if (kind != TSL_EV_BRANCH && kind != TSL_EV_CAS)
            continue;
        const tsl_event *e = tsl_run_next(run, &at);
        if (!e || e->kind != kind || (kind == TSL_EV_BRANCH && e->res != h->steps.data[s].choice))
            return false;
        if (kind == TSL_EV_CAS)
            note_outcome(h, s, e);
    }
    return true;
}

// The end of a run is read only if it matters.
static void read_steps(tsl_tree *tree, tsl_cursor *c, size_t planned) {
    const tsl_run *run = tree->run;
    if (tree->inputs->vars.vars.len && !shares_prefix(run, &c->history)) {
        mispredict(tree, c, planned);
        return;
    }
    if (!tsl_tree_begins_as_kept(tree, c, planned))
        return;
    bool whole = run->outcome != TSL_OUT_OK || !tree->rule->finish;
    tsl_run part = whole ? *run : tsl_run_decisive_part(run);
    size_t read = tsl_run_end(&part), end = tsl_run_end(run);
    read_part(tree, c, &part, &planned);
    bool more = read < end && !tree->base.redundant && !tree->lost &&
                (c->history.steps.len < planned || c->history.looks_at_ends ||
                 !tsl_history_skip(&c->history, run, read, &tree->base.canon));
    if (more)
        read_part(tree, c, run, &planned);
    bool pruned = c->path.len < planned;
    if (tree->lost || (!pruned && !tsl_tree_came_far_enough(tree, c, planned)))
        return;
    tsl_tree_keep_prefix(c, run);
    if (more || read == end)
        tree->base.canon = tsl_history_hash(&c->history);
}

// The process ended by EXIT though other threads could have gone on.  That was planned, because
// otherwise the runtime calls it a failure.
static bool exits_early(const tsl_tree *tree, const tsl_history *h) {
    tsl_step_view view;
    if (!h->steps.len || tsl_vec_last(&h->steps).kind != TSL_EV_EXIT)
        return false;
    for (size_t at = tsl_run_behind(tree->run); tsl_run_pending(tree->run, &at, &view);)
        if (view.op.kind != TSL_EV_EXIT && view.ready)
            return true;
    return false;
}

// The step after which the run failed, or TSL_NONE.  What other threads had not done yet could come
// before that step, and then the run may not fail: the step conflicts with everything.
static uint32_t failing_step(tsl_tree *tree, tsl_cursor *c) {
    const tsl_trace_head *head = tree->run->head;
    tsl_history *h = &c->history;
    if (!tsl_outcome_stops(tree->run->outcome) && !exits_early(tree, h))
        return TSL_NONE;
    unsigned slot = h->slot_of[head->thread % TSL_MAX_THREADS];
    uint32_t s = slot ? h->slots.data[slot - 1].last : TSL_NONE;
    while (s != TSL_NONE && h->steps.data[s].kind == TSL_EV_BRANCH) // belongs to the step before
        s = h->steps.data[s].before;
    if (s == TSL_NONE)
        return s;
    if (tsl_history_exit(h) != TSL_NONE)
        return TSL_NONE; // no other thread can run behind the exit, as read_pending knows
    h->steps.data[s].unknown = h->has_odd = true;
    h->failing = s;
    h->has_rare = true;
    if (c->stops.data[s].taken)
        c->stops.data[s].taken->op.unknown = c->stops.data[s].taken->guessed = true;
    return s;
}

static bool is_enabled_behind(const tsl_history *h, uint32_t touch, const tsl_step *step) {
    return tsl_state_enabled(tsl_touch_state(h, touch), step->kind, step->thread);
}

// Could the step appended last run just before the failing one?  At the end of the run it may be able
// to run only because of the failing step, which gave a lock back, or because of what followed from
// that.  If the step is ready there though its object is not, the object was freed, and the waiting
// thread goes on into freed memory.
static bool could_run_before(const tsl_history *h, uint32_t failing, bool ready) {
    const tsl_step *step = &tsl_vec_last(&h->steps);
    if (!tsl_state_blocks(step->kind) || step->touches == h->touches.len)
        return true;
    uint32_t prev = h->touches.data[step->touches].prev;
    if (ready && !is_enabled_behind(h, prev, step))
        return true;
    while (prev != TSL_NONE && (h->touches.data[prev].step == failing ||
                                tsl_history_before(h, failing, h->touches.data[prev].step)))
        prev = h->touches.data[prev].prev;
    return is_enabled_behind(h, prev, step);
}

// Are there pairs of accesses that only weak atomics seem to order?
static bool reports_weak_races(const tsl_tree *tree, const tsl_cursor *c) {
    return tree->search.races && c->history.by_clocks;
}

static void read_pending(tsl_tree *tree, tsl_cursor *c) {
    if (TSL_BROKEN(PENDING))
        return;
    uint32_t failing = failing_step(tree, c);
    tsl_step_view view;
    size_t at = tsl_run_behind(tree->run);
    size_t n = c->history.steps.len;
    uint32_t exit = tsl_history_exit(&c->history);
    bool exited = n && tsl_vec_last(&c->history.steps).kind == TSL_EV_EXIT;
    while (tsl_run_pending(tree->run, &at, &view)) {
        bool starts = view.op.kind == TSL_EV_START && failing != TSL_NONE;
        if (exit != TSL_NONE && view.ready) { // the step could have come just before the exit
            tree->rule->instead(tree, c, exit, &view.op);
            continue;
        }
        const tsl_op *asleep =
            tree->base.redundant ? tsl_tree_sleeper(tree, c, n, view.op.thread) : NULL;
        if (!asleep && !tsl_can_come_earlier(view.op.kind) && !starts)
            continue;
        if (asleep)
            view.op = *asleep;
        view.next = 0;
        tsl_history_append(&c->history, &view);
        // A step that could run is tried before the failing step first: its races are found there.
        bool now = failing != TSL_NONE && could_run_before(&c->history, failing, view.ready);
        if (!now)
            tree->rule->step(tree, c, true);
        if (reports_weak_races(tree, c) && tsl_is_plain(view.op.kind))
            tsl_found_pending(tree->search.races, &c->history, &tree->sync, TSL_FOUND_WEAK);
        tsl_history_cut(&c->history, n);
        bool could_exit = exited && view.op.kind == TSL_EV_EXIT && !TSL_BROKEN(EXITS);
        // Behind an exit no other thread takes a step.
        view.op.unknown |= now && view.op.kind == TSL_EV_EXIT;
        if (now || could_exit)
            tree->rule->instead(tree, c, now ? failing : (uint32_t)n - 1, &view.op);
    }
}

// The part of the tree that is explored, if at each node on the way all edges lead to as much: the
// edges that are done, and of the edge taken what is done below it.  Edges that races will add later
// are not known yet, so the estimate is too high at first.
static double share_of(const tsl_cursor *c) {
    double share = 0, part = 1;
    for (size_t i = 0; i < c->stops.len; i++) {
        if (!c->stops.data[i].node)
            continue;
        double all = 0, done = 0;
        for (const tsl_edge *edge = c->stops.data[i].node->first; edge; edge = edge->next) {
            bool taken = edge == c->stops.data[i].taken;
            all++;
            done += !taken && edge->is_leaf && edge->state == TSL_EDGE_DONE;
            done += !taken && edge->is_leaf && edge->state == TSL_EDGE_TAKEN ? 0.5 : 0;
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

static void start_over(tsl_tree *tree) {
    tree->must_start_over = false;
    tree->ending = true;
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_cursor *c = &tree->cursors[i];
        while (c->stops.len)
            tsl_tree_leave(tree, c);
        tsl_tree_cut(tree, c, 0);
        tsl_inputs_release(tree->inputs, c->inputs);
        c->inputs = 0;
        c->known = 0;
        c->history.coarse = !tree->as_source;
        c->state = TSL_CURSOR_IDLE;
        c->begun = false;
    }
    if (tree->as_source)
        tree->rule = &tsl_source_rule;
    tree->ending = tree->begun = false;
    tree->discard = tree->nflying;
    tree->base.share = 0;
    tree->base.claim = (tsl_claim){0};
    tsl_claim_weaken(&tree->base.claim, TSL_REASON_DIVERGED, tree->base.diverged);
    tree->base.begun_again = true;
}

void tsl_tree_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run) {
    (void)plan;
    tsl_tree *tree = (tsl_tree *)strategy;
    tsl_cursor *c = &tree->cursors[tree->flying[0]];
    memmove(tree->flying, tree->flying + 1, --tree->nflying * sizeof *tree->flying);
    tree->base.ignored = tree->discard > 0;
    if (tree->discard) {
        tree->discard--;
        return;
    }
    tree->run = run;
    tree->lost = false;
    bool sound = tsl_inputs_read(tree->inputs, &c->nodes, run, &c->inputs);
    tsl_claim_weaken(&tree->base.claim, TSL_REASON_CONCRETISED, !sound);
    c->kept = c->history.steps.len;
    tree->base.redundant = run->outcome == TSL_OUT_REDUNDANT;
    tree->base.strayed = tree->base.impossible = false;
    bool has_steps = tsl_run_end(run) > 0;
    if (has_steps)
        read_steps(tree, c, c->path.len);
    else
        tsl_tree_came_far_enough(tree, c, c->path.len);
    if (has_steps && !tree->lost && reports_weak_races(tree, c))
        tsl_found_by_clocks(tree->search.races, &c->history, &tree->sync, TSL_FOUND_WEAK);
    // A thread that is blocked at the end of a redundant run may be blocked in no other run.
    if (has_steps && !tree->lost && (!tree->base.redundant || tree->rule->sleeps))
        read_pending(tree, c);
    if (c->history.slots.len > tree->threads)
        meet_threads(tree, &c->history);
    if (tree->rule->finish && !tree->lost)
        tree->rule->finish(tree, c);
    if (tree->learned++ % SHARE_EVERY == 0) // an estimate may be rough
        tree->base.share = share_of(c);
    tree->run = NULL;
    c->state = TSL_CURSOR_IDLE;
    c->begun = true;
    if (tree->must_start_over)
        start_over(tree);
}
