// A random walk: each step is taken by any enabled thread, each as likely.
//
// One of n threads is drawn again with probability 1/n, so the number of times in a row is
// geometric.  That number is drawn at once, and then another thread.  It has no memory: if n
// changes, any of the n threads is drawn anew.
#include "picker.h"

typedef struct walk {
    unsigned last; // was drawn last
} walk;

static int64_t draw_stay(tsl_picker *p, unsigned n) {
    int64_t stay = 0;
    if (n == 2)
        return __builtin_ctzll(tsl_picker_random(p) >> 1 | 1ull << 62);
    while (n > 1 && tsl_picker_below(p, n) == 0)
        stay++;
    return stay;
}

static unsigned pick(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    walk *w = (walk *)p->own;
    bool drawn = p->stay_of == n && tsl_picker_has(enabled, n, w->last);
    if (drawn && p->stay > 0) {
        p->stay--;
        return w->last;
    }
    w->last = drawn && n > 1 && !TSL_BROKEN(BIASED) ? tsl_picker_another(p, w->last, enabled, n)
                                                    : enabled[tsl_picker_below(p, n)];
    p->stay = draw_stay(p, n);
    p->stay_of = n;
    return w->last;
}

static void yielded(tsl_picker *p, unsigned thread) {
    (void)thread;
    p->stay_of = 0;
}

const tsl_policy_rules tsl_policy_random = {.pick = pick, .yielded = yielded};
