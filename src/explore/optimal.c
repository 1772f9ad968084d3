// Optimal reduction: one run for each order (Mazurkiewicz trace), and no redundant runs.
//
// Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction (POPL 2014;
// JACM 2017).  After a race of e and e' the wakeup sequence
//
//     v  =  all steps of the run behind e that do not happen after e, then e'
//
// leads from the node before e to an order with the two the other way round.  It is added there
// unless something explored, asleep or waiting at that node is a weak initial of v (wakeup.h): then
// everything v stands for is explored from there, or was.  Running v wakes everything that sleeps at
// its node, because what v does not wake would be a weak initial.  So no run ends with all threads
// asleep.  What waits at a node is kept as a wakeup tree (wakeup_insert.c).
//
// Where we differ: leaves may be explored in any order.  Behind a leaf nothing sleeps, so a leaf is
// complete by itself; what sleeps on the way there is fixed by the order in which edges were added.
// That lets several runs be under way.
//
// Results.  Whether e' conflicts with other steps may depend on what e' returns once it runs
// earlier.  The results of locks and their like are predicted from the state of the object, that of
// a compare-and-swap from what is known of the values (conflict.h).  If the values are not known
// (accesses of different sizes), the search starts over with all compare-and-swaps as writes: more
// runs than there have to be, but none is missed.  What is left (a futex wait that gives up) is run,
// and thrown away should something turn out to sleep behind it: the one case of a redundant run.
// Or, if an edge that has not run yet makes the difference, the sequence waits until it has (a
// doubt).  That is not exact, so then nothing is called complete.
#include "base/deadline.h"
#include "explore/wakeup.h"

static void keep_races(tsl_tree *tree, tsl_cursor *c, bool pending) {
    const tsl_race_list *races = tsl_tree_find_races(tree, c);
    if (races->len)
        tsl_reversals_keep(tree, c, races, pending);
}

static void keep_instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    (void)tree;
    tsl_reversal_list *reversals = tsl_cursor_reversals(c);
    tsl_reversal r = {.race = {s, TSL_NONE}, .sure = true, .op = *op};
    r.at = (uint32_t)tsl_cursor_history(c)->steps.len - 1;
    r.settled = r.second = r.woken_by = TSL_NONE;
    tsl_vec_push(reversals, r);
}

static bool is_settled(const tsl_reversal *r, size_t kept) {
    return r->settled != TSL_NONE && (r->settled < kept || TSL_BROKEN(SETTLED));
}

static bool is_sabotaged(const tsl_cursor *c, const tsl_reversal *r) {
    return (TSL_BROKEN(OLD_RACES) && r->at < tsl_cursor_known(c)) ||
           (TSL_BROKEN(BACKTRACK) && tsl_cursor_history(c)->steps.data[r->race.first].index == 2);
}

// Not before the end of the run: v is all that does not happen after e in the whole run, or an order
// that differs from an explored one only in what comes later would be lost.
static void reverse_all(tsl_tree *tree, tsl_cursor *c) {
    tsl_reversal_list *reversals = tsl_cursor_reversals(c);
    size_t kept = tsl_cursor_kept(c), len = tsl_cursor_history(c)->steps.len;
    for (size_t i = 0; i < reversals->len; i++) {
        tsl_reversal *r = &reversals->data[i];
        tsl_deadline_ask();
        if (!is_sabotaged(c, r) && !is_settled(r, kept))
            tsl_wakeup_insert(tree, c, r);
    }
    while (reversals->len && tsl_vec_last(reversals).at >= len)
        reversals->len--;
}

static const tsl_tree_rule rule = {.step = keep_races,
                                   .races_only = true,
                                   .instead = keep_instead,
                                   .finish = reverse_all,
                                   .settle = tsl_wakeup_settle,
                                   .wakes_all = true,
                                   .several = true};

TSL_TREE_STRATEGY(optimal, &rule, "optimal", "one run per Mazurkiewicz trace, none wasted");
