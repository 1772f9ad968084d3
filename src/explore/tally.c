#include "explore/tally.h"

void tsl_tallies_drop(tsl_tallies *t) {
    for (unsigned i = 0; i < TSL_POLICY_COUNT; i++) {
        tsl_vec_drop(&t->of[i].times);
        tsl_vec_drop(&t->of[i].curve);
    }
    tsl_map_drop(&t->numbers);
}

// Returns false if there are too many orders.
static bool number_of(tsl_tallies *t, uint64_t hash, size_t *number) {
    if (t->numbers.len >= TSL_TALLY_ORDERS && !tsl_map_get(&t->numbers, hash))
        return false;
    bool fresh;
    uint64_t *value = tsl_map_put(&t->numbers, hash, &fresh);
    if (fresh)
        *value = t->numbers.len - 1;
    *number = (size_t)*value;
    return true;
}

static void make_room(tsl_tally *tally, size_t number) {
    size_t len = tally->times.len;
    if (number >= tally->times.cap)
        tsl_vec_reserve(&tally->times, 2 * number + 64);
    for (; len <= number; len++)
        tally->times.data[len] = 0;
    tally->times.len = len;
}

// If only orders that have a number were counted from then on, they would look too frequent.
bool tsl_tally_order(tsl_tallies *t, unsigned policy, uint64_t hash) {
    tsl_tally *tally = &t->of[policy];
    size_t number;
    if (t->full || tally->runs == UINT32_MAX || !number_of(t, hash, &number)) {
        t->full = true;
        tally->left_out++;
        return false;
    }
    make_room(tally, number);
    tally->runs++;
    bool fresh = tally->times.data[number]++ == 0;
    tally->orders += fresh;
    return fresh;
}

// Each of the first twelve runs is a point; later, about twelve points for each doubling.
static bool is_time(const tsl_tally *t) {
    uint64_t last = t->curve.len ? tsl_vec_last(&t->curve).runs : 0;
    return t->runs > last + last / 12;
}

void tsl_tally_pairs(tsl_tally *t, uint64_t successions, uint64_t reads) {
    if (t->left_out)
        return;
    t->now = (tsl_tally_point){t->runs, t->orders, successions, reads};
    if (is_time(t))
        tsl_vec_push(&t->curve, t->now);
}
