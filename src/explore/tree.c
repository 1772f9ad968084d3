#include "explore/tree.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

// ---------------------------------------------------------------- making and freeing

tsl_strategy *tsl_tree_new(const tsl_strategy_kind *kind, const tsl_tree_rule *rule,
                           const tsl_search *search) {
    tsl_tree *tree = tsl_alloc(sizeof *tree);
    tree->base.kind = kind;
    tree->rule = rule;
    tree->search = *search;
    tree->ncursors = rule->cursors;
    tsl_rng_init(&tree->rng, search->seed);
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_history_init(&tree->cursors[i].history);
        tree->cursors[i].history.reads_conflict = rule->reads_conflict;
    }
    return &tree->base;
}

static void free_node(tsl_tree *tree, tsl_node *node) {
    for (tsl_branch *b = node->first, *next; b; b = next) {
        next = b->next;
        TSL_BUG_ON(!tree->ending && !b->inner && b->state == TSL_BRANCH_OPEN,
                   "a branch of thread %u was lost", b->op.thread);
        if (b->inner)
            free_node(tree, b->inner);
        tsl_free(b);
    }
    for (tsl_doubt *d = node->doubts, *next; d; d = next) {
        next = d->next;
        TSL_BUG_ON(!tree->ending, "a doubt of %u steps was lost", d->n);
        tsl_free(d);
    }
    tsl_free(node);
    tree->nodes--;
}

static void leave_node(tsl_tree *tree, tsl_cursor *c) {
    tsl_node *node = tsl_vec_pop(&c->nodes);
    c->taken.len--;
    if (node && !node->is_inner && --node->users == 0)
        free_node(tree, node);
}

void tsl_tree_free(tsl_strategy *strategy) {
    tsl_tree *tree = (tsl_tree *)strategy;
    tree->ending = true;
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_cursor *c = &tree->cursors[i];
        while (c->nodes.len)
            leave_node(tree, c);
        tsl_history_drop(&c->history);
        tsl_vec_drop(&c->path);
        tsl_vec_drop(&c->nodes);
        tsl_vec_drop(&c->taken);
        tsl_vec_drop(&c->sleepers);
        tsl_vec_drop(&c->sleep_start);
    }
    tsl_vec_drop(&tree->races);
    tsl_vec_drop(&tree->rest);
    tsl_free(tree);
}

// ---------------------------------------------------------------- branches

static tsl_node *new_node(tsl_tree *tree) {
    tree->nodes++;
    return tsl_alloc(sizeof(tsl_node));
}

static tsl_branch *new_branch(const tsl_op *op, unsigned choice) {
    tsl_branch *b = tsl_alloc(sizeof *b);
    b->op = *op;
    b->choice = (uint16_t)choice;
    return b;
}

static tsl_hop hop_of(const tsl_step *step) {
    return (tsl_hop){step->thread, step->nchoices > 1 ? step->choice : TSL_ANY_CHOICE};
}

tsl_node *tsl_tree_node(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    if (c->nodes.data[depth])
        return c->nodes.data[depth];
    tsl_node *node = new_node(tree);
    tsl_op op = tsl_history_op(&c->history, (uint32_t)depth);
    tsl_branch *b = new_branch(&op, hop_of(&c->history.steps.data[depth]).choice);
    b->state = TSL_BRANCH_TAKEN;
    b->sure = b->executed = true;
    node->first = b;
    node->users = 1;
    c->nodes.data[depth] = node;
    c->taken.data[depth] = b;
    return node;
}

tsl_branch *tsl_tree_branches(const tsl_cursor *c, size_t depth) {
    return c->nodes.data[depth] ? c->nodes.data[depth]->first : NULL;
}

static tsl_branch *add_behind(tsl_branch *left, const tsl_op *op, unsigned choice) {
    tsl_branch *b = new_branch(op, choice);
    b->next = left->next;
    return left->next = b;
}

tsl_branch *tsl_tree_add(tsl_node *node, const tsl_op *op, unsigned choice) {
    tsl_branch **end = &node->first;
    while (*end)
        end = &(*end)->next;
    return *end = new_branch(op, choice);
}

tsl_branch *tsl_tree_add_all(tsl_tree *tree, tsl_node *node, tsl_branch *behind,
                             const tsl_hop *hops, const tsl_op *ops, size_t n) {
    for (size_t i = 0;; i++) {
        tsl_branch *b = behind && i == 0 ? add_behind(behind, &ops[0], hops[0].choice)
                                         : tsl_tree_add(node, &ops[i], hops[i].choice);
        b->sure = true;
        if (i + 1 == n)
            return b;
        b->inner = node = new_node(tree);
        node->is_inner = true;
    }
}

// Other results of a choice are explored right behind the first one, so that the thread
// may sleep once all of them are done.
static void add_alternatives(tsl_tree *tree, tsl_cursor *c, uint32_t s) {
    const tsl_step *step = &c->history.steps.data[s];
    if (step->nchoices < 2)
        return;
    tsl_tree_node(tree, c, s);
    tsl_branch *own = c->taken.data[s], *after = own;
    if (own->only)
        return;
    own->only = true;
    for (unsigned k = 0; k < step->nchoices; k++) {
        if (k == step->choice)
            continue;
        after = add_behind(after, &own->op, k);
        after->sure = after->only = true;
    }
}

// ---------------------------------------------------------------- where a cursor stands

static void cut(tsl_tree *tree, tsl_cursor *c, size_t n) {
    tsl_history_cut(&c->history, n);
    while (c->nodes.len > n + 1)
        leave_node(tree, c);
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
    const tsl_node *node = c->nodes.data[s];
    size_t from = c->sleep_start.data[s], start = c->sleepers.len;
    tsl_vec_push(&c->sleep_start, (uint32_t)start);
    if (n == 0 && (!node || node->first == c->taken.data[s]))
        return;
    tsl_op op = tsl_history_op(&c->history, s);
    for (size_t i = 0; i < n; i++) {
        tsl_op sleeping = c->sleepers.data[from + i];
        if (tsl_op_conflict(&sleeping, &op))
            continue;
        tsl_op_pass(&sleeping, &op);
        tsl_vec_push(&c->sleepers, sleeping);
    }
    if (!node)
        return;
    for (const tsl_branch *b = node->first; b && b != c->taken.data[s]; b = b->next) {
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
    if (c->nodes.len == depth) {
        tsl_vec_push(&c->nodes, NULL);
        tsl_vec_push(&c->taken, NULL);
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
    for (size_t i = 0; i < tree->races.len; i++)
        if (tsl_race_is_data(&c->history, tree->races.data[i].first, second))
            sink->found(sink->self, &c->history, tree->races.data[i].first, second);
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

static void new_step(tsl_tree *tree, tsl_cursor *c, uint32_t s, size_t planned) {
    tree->rule->step(tree, c, false);
    show_wakes(tree, c, s);
    if (s + 1 >= planned) // the others have their alternatives elsewhere
        add_alternatives(tree, c, s);
}

static void note_result(tsl_cursor *c, uint32_t s) {
    tsl_branch *b = c->taken.data[s];
    if (!b || b->executed)
        return;
    b->op = tsl_history_op(&c->history, s);
    b->choice = hop_of(&c->history.steps.data[s]).choice;
    b->sure = b->executed = true;
    b->risky = false;
}

// A leaf that turned out to stand for nothing new must not stand for anything: away with it.
static void prune(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    for (;; depth--) {
        tsl_node *node = c->nodes.data[depth];
        tsl_branch **at = &node->first, *gone = c->taken.data[depth];
        while (*at != gone)
            at = &(*at)->next;
        *at = gone->next;
        if (gone->inner)
            free_node(tree, gone->inner);
        tsl_free(gone);
        c->taken.data[depth] = NULL;
        if (node->first || node->doubts || !node->is_inner)
            return;
        leave_node(tree, c);
    }
}

static void read_steps(tsl_tree *tree, tsl_cursor *c, size_t planned) {
    tsl_step_view view;
    size_t at = c->history.steps.len ? tsl_vec_last(&c->history.steps).next_event : 0;
    for (; tsl_step_read(tree->trace, at, &view); at = view.next) {
        open_depth(c);
        uint32_t s = tsl_history_append(&c->history, &view);
        if (s >= c->path.len)
            tsl_vec_push(&c->path, hop_of(&c->history.steps.data[s]));
        else if (c->path.data[s].choice == TSL_ANY_CHOICE)
            c->path.data[s] = hop_of(&c->history.steps.data[s]);
        note_result(c, s);
        sleep_on(c, s);
        size_t asleep;
        if (tree->rule->wakes_all && s + 1 == planned && tsl_cursor_sleep(c, planned, &asleep)) {
            tree->base.redundant = true;
            cut(tree, c, s);
            prune(tree, c, s);
            cut(tree, c, c->nodes.len - 1);
            return;
        }
        if (s >= c->known)
            new_step(tree, c, s, planned);
    }
}

// What waits for somebody to wake it can't run at any earlier point either.
static bool can_come_earlier(unsigned kind) {
    return kind != TSL_EV_WOKEN && kind != TSL_EV_FUTEX_RETURN && kind != TSL_EV_PAUSE &&
           kind != TSL_EV_BARRIER_LEAVE && kind != TSL_EV_JOIN && kind != TSL_EV_START;
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
    tsl_step_view view;
    size_t at = c->history.steps.len ? tsl_vec_last(&c->history.steps).next_event : 0;
    // They stand among the notes of the last step.
    if (c->history.steps.len)
        while (at > 0 && tree->trace->events[at - 1].kind < TSL_EV_READ)
            at--;
    size_t n = c->history.steps.len;
    while (tsl_step_read_pending(tree->trace, &at, &view)) {
        const tsl_op *asleep = asleep_at_end(tree, c, view.op.thread);
        if (!asleep && !can_come_earlier(view.op.kind))
            continue;
        if (asleep)
            view.op = *asleep;
        view.next = 0;
        tsl_history_append(&c->history, &view);
        tree->rule->step(tree, c, true);
        tsl_history_cut(&c->history, n);
    }
}

static bool has_steps(const tsl_trace *trace) { return trace->nevents > 0; }

void tsl_tree_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_trace *trace) {
    (void)plan;
    tsl_tree *tree = (tsl_tree *)strategy;
    tsl_cursor *c = &tree->cursors[tree->flying[0]];
    memmove(tree->flying, tree->flying + 1, --tree->nflying * sizeof *tree->flying);
    tree->trace = trace;
    tree->base.redundant = trace->head->outcome == TSL_OUT_REDUNDANT;
    if (has_steps(trace))
        read_steps(tree, c, c->path.len);
    // Who is blocked at the end of a redundant run may be so in no other one.
    if (has_steps(trace) && (!tree->base.redundant || tree->rule->sleeps))
        read_pending(tree, c);
    tree->base.canon = tsl_history_hash(&c->history);
    tree->trace = NULL;
    c->state = TSL_CURSOR_IDLE;
    c->begun = true;
}

// ---------------------------------------------------------------- next

// One of the open leaves at random is put in front of the others.  Those in front of something
// begun stay there, and so do other results of a choice: see sleep_on.
static void shuffle(tsl_tree *tree, tsl_node *node) {
    tsl_branch **first = &node->first;
    size_t n = 0;
    for (tsl_branch **b = first; *b; b = &(*b)->next) {
        bool fixed = (*b)->inner || (*b)->only || (*b)->state != TSL_BRANCH_OPEN;
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

static bool find_open(tsl_tree *tree, tsl_node *node, way *out) {
    if (node->doubts && tree->rule->settle)
        tree->rule->settle(tree, node);
    if (tree->search.random_order)
        shuffle(tree, node);
    for (tsl_branch *b = node->first; b; b = b->next) {
        tsl_vec_push(out, b);
        bool open = !b->inner && b->state == TSL_BRANCH_OPEN;
        if (open || (b->inner && find_open(tree, b->inner, out)))
            return true;
        out->len--;
        if (!b->executed)
            return false;
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
        c->taken.data[depth + i] = b;
        tsl_vec_push(&c->path, (tsl_hop){b->op.thread, b->choice});
        if (b->inner) {
            tsl_vec_push(&c->nodes, b->inner);
            tsl_vec_push(&c->taken, NULL);
        } else
            b->state = TSL_BRANCH_TAKEN;
    }
    c->state = TSL_CURSOR_READY;
}

// Back to the deepest node with an open leaf.
static bool backtrack(tsl_tree *tree, tsl_cursor *c) {
    way to = {0};
    while (c->nodes.len && c->state != TSL_CURSOR_READY) {
        size_t depth = c->nodes.len - 1;
        tsl_node *node = c->nodes.data[depth];
        if (node) {
            cut(tree, c, depth);
            if (c->taken.data[depth])
                c->taken.data[depth]->state = TSL_BRANCH_DONE;
            if (find_open(tree, node, &to))
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
        tsl_vec_push(&thief->nodes, node);
        node->users += !node->is_inner;
        tsl_vec_push(&thief->taken, from->taken.data[i]);
        if (i < depth)
            tsl_vec_push(&thief->path, from->path.data[i]);
    }
}

static bool take_over(tsl_tree *tree, tsl_cursor *thief, tsl_cursor *from, way *to) {
    for (size_t depth = 0; depth < from->nodes.len; depth++) {
        tsl_node *node = from->nodes.data[depth];
        if (!node || !find_open(tree, node, to))
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

static void add_hop(tsl_plan *plan, tsl_hop hop) {
    tsl_plan_step(plan, hop.thread);
    if (hop.choice != TSL_ANY_CHOICE)
        tsl_plan_choice(plan, hop.choice);
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
        const tsl_branch *own = c->taken.data[depth];
        for (const tsl_branch *b = c->nodes.data[depth]->first; b != own; b = b->next)
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
    plan->policy = tree->search.random_order ? TSL_POLICY_RANDOM : TSL_POLICY_STAY;
    plan->max_steps = tree->search.max_steps;
    plan->flags = tree->search.flags;
    tsl_vec_clear(&plan->items);
    tsl_vec_clear(&plan->sleep);
    for (size_t i = 0; i < c->path.len; i++)
        add_hop(plan, c->path.data[i]);
    add_sleep(tree, c, plan);
    c->state = TSL_CURSOR_FLYING;
    tree->flying[tree->nflying++] = (unsigned)(c - tree->cursors);
    return TSL_NEXT_PLAN;
}
