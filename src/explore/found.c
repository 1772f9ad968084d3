#include "explore/found.h"

#include "base/deadline.h"

static void tell(const tsl_race_sink *sink, tsl_found found) { sink->found(sink->self, &found); }

// ---------------------------------------------------------------- next to each other

// Most pairs of steps that could stand next to each other are no accesses of memory, or both atomic.
void tsl_found_adjacent(const tsl_race_sink *sink, const tsl_history *h,
                        const tsl_race_list *partners) {
    uint32_t second = (uint32_t)h->steps.len - 1;
    if (!tsl_race_may_be_data(h, second))
        return;
    bool atomic = !h->has_touch && tsl_race_is_one_atomic(h, second);
    for (size_t i = 0; i < partners->len; i++) {
        tsl_found found = {.history = h, .first = partners->data[i].first, .second = second};
        if (atomic && tsl_race_is_one_atomic(h, found.first))
            continue;
        found.how = TSL_FOUND_ADJACENT;
        if (!tsl_race_is_data(h, found.first, second)) {
            if (!tsl_race_is_touched(h, found.first, second))
                continue;
            found.how = TSL_FOUND_TOUCHED;
        }
        tell(sink, found);
    }
}

// ---------------------------------------------------------------- by the clocks

static void tell_of_step(const tsl_race_sink *sink, const tsl_history *h, const tsl_sync *sync,
                         uint32_t second, enum tsl_found_how how) {
    for (size_t i = 0; i < sync->races.len; i++)
        tell(sink, (tsl_found){h, sync->races.data[i], second, how, sync});
}

void tsl_found_by_clocks(const tsl_race_sink *sink, const tsl_history *h, tsl_sync *sync,
                         enum tsl_found_how how) {
    tsl_sync_begin(sync);
    for (uint32_t s = 0; s < h->steps.len; s++) {
        tsl_deadline_ask();
        tsl_sync_read(sync, h, s);
        tell_of_step(sink, h, sync, s, how);
    }
}

void tsl_found_pending(const tsl_race_sink *sink, const tsl_history *h, tsl_sync *sync,
                       enum tsl_found_how how) {
    uint32_t last = (uint32_t)h->steps.len - 1;
    tsl_sync_peek(sync, h, last);
    tell_of_step(sink, h, sync, last, how);
}
