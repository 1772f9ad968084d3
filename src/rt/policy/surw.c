// Selectively uniform random walk: which thread takes the next interesting step?  Each is as likely
// as its weight says: the number of interesting steps that it has left, with those of the threads it
// has yet to create (H. Zhao et al., Selectively uniform concurrency testing, ASPLOS 2025).
//
// The word of a thread is its weight.
#include "picker.h"

typedef struct surw {
    uint32_t chosen; // number + 1 of the thread that takes the next interesting step; 0: none yet
} surw;

static bool is_interesting(const tsl_picker *p, unsigned thread) {
    tsl_access next = tsl_picker_next(p, thread);
    if (next.space == TSL_SPACE_NONE)
        return false;
    return !p->interest || tsl_access_touches(&next, p->interest, 8);
}

static unsigned draw_by_weight(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += p->words[enabled[i]];
    if (sum == 0)
        return enabled[tsl_picker_below(p, n)];
    uint64_t at = tsl_picker_below(p, sum);
    for (unsigned i = 0;; i++) {
        if (at < p->words[enabled[i]])
            return enabled[i];
        at -= p->words[enabled[i]];
    }
}

static void begin(tsl_picker *p) { ((surw *)p->own)->chosen = 0; }

static unsigned pick(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    surw *s = (surw *)p->own;
    if (!s->chosen || !tsl_picker_has(enabled, n, s->chosen - 1))
        s->chosen = draw_by_weight(p, enabled, n) + 1;
    unsigned thread = s->chosen - 1;
    if (is_interesting(p, thread)) {
        p->words[thread] -= p->words[thread] > 0 && !TSL_BROKEN(WEIGHT);
        s->chosen = 0;
    }
    return thread;
}

static void created(tsl_picker *p, unsigned thread, unsigned parent, uint64_t weight) {
    p->words[thread] = weight;
    if (thread != parent)
        p->words[parent] -= weight < p->words[parent] ? weight : p->words[parent];
}

static void yielded(tsl_picker *p, unsigned thread) {
    (void)thread;
    ((surw *)p->own)->chosen = 0;
}

const tsl_policy_rules tsl_policy_surw = {
    .begin = begin, .pick = pick, .created = created, .yielded = yielded};
