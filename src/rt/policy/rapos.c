// Random partial order sampling: rounds of independent steps (K. Sen, Effective random testing of
// concurrent programs, ASE 2007, Figs. 4 and 5).
//
// A round is a random subset of the schedulable threads whose steps are independent of each other.
// Afterwards those threads are schedulable that the round enabled, or whose steps depend on it.
//
// Here, in seven runs of eight, steps that no other thread can be in conflict with are taken at
// once and belong to no round.
#include "depend.h"

enum { MOST = 256 }; // threads in one round; further ones wait for the next

typedef struct rapos {
    tsl_next_step round[MOST];
    uint32_t nround, next; // steps of the round before `next` were taken
    uint64_t rounds;       // the word of a thread is the last round that found the thread enabled
    bool joins_steps;
} rapos;

_Static_assert(sizeof(rapos) <= TSL_PICKER_OWN, "rapos has room");

// A set is sorted, so that it does not depend on the order in which threads became enabled.
static void insert(uint16_t *set, uint32_t n, uint16_t thread) {
    for (; n > 0 && set[n - 1] > thread; n--)
        set[n] = set[n - 1];
    set[n] = thread;
}

static bool depends_on_round(const rapos *r, const tsl_next_step *step) {
    for (uint32_t i = 0; i < r->nround; i++)
        if (tsl_next_depends(&r->round[i], step))
            return true;
    return false;
}

// Threads that the last round enabled depend on the round, too: a new thread, for example.
static uint32_t find_schedulable(tsl_picker *p, const uint16_t *enabled, unsigned n,
                                 uint16_t *set) {
    rapos *r = (rapos *)p->own;
    uint32_t nset = 0;
    r->rounds++;
    for (unsigned i = 0; i < n; i++) {
        uint64_t *last = &p->words[enabled[i]];
        bool woken = *last + 1 != r->rounds || r->rounds == 1;
        *last = r->rounds;
        if (!woken && !TSL_BROKEN(SCHEDULABLE)) {
            tsl_next_step step = tsl_next_step_of(p, enabled[i]);
            if (!depends_on_round(r, &step))
                continue;
        }
        if (nset < MOST)
            insert(set, nset++, enabled[i]);
    }
    if (nset == 0)
        set[nset++] = enabled[tsl_picker_below(p, n)];
    return nset;
}

static void begin_round(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    rapos *r = (rapos *)p->own;
    uint16_t set[MOST];
    uint32_t nset = find_schedulable(p, enabled, n, set);
    unsigned first = set[tsl_picker_below(p, nset)];
    r->next = r->nround = 0;
    r->round[r->nround++] = tsl_next_step_of(p, first);
    for (uint32_t i = 0; i < nset; i++) {
        if (set[i] == first)
            continue;
        tsl_next_step step = tsl_next_step_of(p, set[i]);
        if (!depends_on_round(r, &step) && (tsl_picker_random(p) >> 63 || TSL_BROKEN(TOSS)))
            r->round[r->nround++] = step;
    }
}

// While such a step can run, no step of another thread is in conflict with it.  If the thread lost
// the toss of a coin, it would stay out of all rounds for nothing, because no other step makes it
// schedulable again.  (The paper lets threads switch before some operations only, and starting a
// thread is not among them.)  There are exceptions: a trylock can meet an unlock, and a signal can
// come before the start.  So one run of eight treats these steps as all others.
static bool is_joined(const tsl_picker *p, unsigned thread) {
    switch (tsl_picker_pending(p, thread)->kind) {
    case TSL_EV_CREATE:
    case TSL_EV_START:
    case TSL_EV_JOIN:
    case TSL_EV_CHOOSE:
    case TSL_EV_UNLOCK:
    case TSL_EV_RW_UNLOCK:
        return true;
    default:
        return false;
    }
}

static void begin(tsl_picker *p) {
    rapos *r = (rapos *)p->own;
    r->nround = r->next = 0;
    r->rounds = 0;
    r->joins_steps = tsl_picker_below(p, 8) != 0;
}

static unsigned pick(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    rapos *r = (rapos *)p->own;
    for (unsigned i = 0; r->joins_steps && i < n; i++)
        if (is_joined(p, enabled[i])) {
            p->words[enabled[i]] = 0; // the step that comes next is schedulable
            return enabled[i];
        }
    for (;;) {
        // Independent steps do not disable each other; what a thread does between its steps may.
        while (r->next < r->nround && !tsl_picker_has(enabled, n, r->round[r->next].thread))
            r->next++;
        if (r->next < r->nround)
            return r->round[r->next++].thread;
        begin_round(p, enabled, n);
    }
}

const tsl_policy_rules tsl_policy_rapos = {.begin = begin, .pick = pick};
