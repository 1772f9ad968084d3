// Random priorities: the enabled thread with the highest priority runs.  At depth - 1 random change
// points, the thread that would run drops below all others (S. Burckhardt et al., A randomized
// scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010).
//
// Here, a thread that yields drops, too.
#include "priority.h"

typedef struct pct {
    uint64_t picks;
    uint64_t changes[TSL_MAX_BUG_DEPTH]; // numbers of the picks that are change points
    uint32_t nchanges;
    uint64_t lowest; // priority of the thread that dropped last
} pct;

_Static_assert(sizeof(pct) <= TSL_PICKER_OWN, "pct has room");

static void begin(tsl_picker *p) {
    pct *s = (pct *)p->own;
    s->picks = 0;
    s->nchanges = 0;
    s->lowest = TSL_PRIORITY_DRAWN;
    while (s->nchanges + 1 < p->depth && s->nchanges < TSL_MAX_BUG_DEPTH)
        s->changes[s->nchanges++] = 1 + tsl_picker_below(p, p->length ? p->length : 1);
}

static void drop(tsl_picker *p, unsigned thread) { p->words[thread] = --((pct *)p->own)->lowest; }

static unsigned pick(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    pct *s = (pct *)p->own;
    unsigned thread = tsl_priority_highest(p, enabled, n);
    s->picks++;
    for (uint32_t i = 0; i < s->nchanges; i++)
        if (s->changes[i] == s->picks && !TSL_BROKEN(CHANGE)) {
            drop(p, thread);
            thread = tsl_priority_highest(p, enabled, n);
        }
    return thread;
}

const tsl_policy_rules tsl_policy_pct = {.begin = begin, .pick = pick, .yielded = drop};
