// Partial order sampling: each pending step has a random priority, and the step with the highest
// runs.  Steps in conflict with it get a new priority (X. Yuan et al., Partial order aware
// concurrency sampling, CAV 2018).
#include "depend.h"
#include "priority.h"

static unsigned pick(tsl_picker *p, const uint16_t *enabled, unsigned n) {
    unsigned thread = tsl_priority_highest(p, enabled, n);
    tsl_next_step step = tsl_next_step_of(p, thread);
    for (unsigned i = 0; i < n; i++) { // the thread itself, too: it will stand before another step
        tsl_next_step other = tsl_next_step_of(p, enabled[i]);
        if (TSL_BROKEN(REDRAW) ? enabled[i] == thread : tsl_next_depends(&step, &other))
            p->words[enabled[i]] = 0;
    }
    return thread;
}

const tsl_policy_rules tsl_policy_pos = {.pick = pick};
