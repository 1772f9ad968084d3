#include "model/inside.h"

#include "base/deadline.h"

// Does the accessed object live in memory of the program?  All of this size do, except futexes: the
// word of a futex is the program's own, and its queue of waiters does not lie in the word.
static bool is_object(const tsl_access *a) {
    return a->space == TSL_SPACE_OBJECT && a->size > 1 && a->kind != TSL_EV_FUTEX_WAIT &&
           a->kind != TSL_EV_FUTEX_RETURN && a->kind != TSL_EV_FUTEX_WAKE;
}

static bool is_pair(const tsl_access *read, const tsl_access *change) {
    return read->space == TSL_SPACE_MEMORY && read->role == TSL_ROLE_READ && is_object(change) &&
           change->role != TSL_ROLE_READ && tsl_overlap(read, change);
}

static bool are_pair(const tsl_history *h, uint32_t a, uint32_t b) {
    for (uint32_t i = h->steps.data[a].accesses; i < tsl_step_accesses_end(h, a); i++)
        for (uint32_t k = h->steps.data[b].accesses; k < tsl_step_accesses_end(h, b); k++) {
            const tsl_access *x = &h->accesses.data[i], *y = &h->accesses.data[k];
            if (is_pair(x, y) || is_pair(y, x))
                return true;
        }
    return false;
}

// The steps of another thread that do not happen before s are the last ones of that thread, so each
// thread is walked backwards until a step happens before s.
uint32_t tsl_inside_partner(const tsl_history *h, uint32_t s) {
    for (unsigned slot = 0; slot < h->slots.len; slot++) {
        uint32_t known = tsl_history_knows(h, s, slot);
        if (slot == h->steps.data[s].slot)
            continue;
        for (uint32_t u = h->slots.data[slot].last; u != TSL_NONE && h->steps.data[u].index > known;
             u = h->steps.data[u].before) {
            tsl_deadline_ask();
            if (are_pair(h, u, s))
                return u;
        }
    }
    return TSL_NONE;
}
