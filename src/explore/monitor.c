#include "explore/monitor.h"

#include <string.h>

#include "base/deadline.h"

void tsl_monitor_init(tsl_monitor *m, const tsl_race_sink *sink, bool predicts) {
    *m = (tsl_monitor){.sink = sink, .predicts = sink && predicts};
    tsl_history_init(&m->history);
    tsl_sync_init(&m->ordered, false);
    tsl_sync_init(&m->by_clocks, true);
    tsl_digest_init(&m->digest);
}

void tsl_monitor_drop(tsl_monitor *m) {
    tsl_history_drop(&m->history);
    tsl_sync_drop(&m->ordered);
    tsl_sync_drop(&m->by_clocks);
    tsl_vec_drop(&m->races);
    tsl_prefix_drop(&m->last);
    tsl_digest_drop(&m->digest);
    tsl_map_drop(&m->digests);
}

// More are not remembered, and read again.
enum { MAX_DIGESTS = 1 << 22 };

static bool was_read(const tsl_monitor *m, uint64_t digest, uint64_t *hash) {
    const uint64_t *known = tsl_map_get(&m->digests, digest);
    if (known)
        *hash = *known;
    return known != NULL;
}

static void note_read(tsl_monitor *m, uint64_t digest, uint64_t hash) {
    if (m->digests.len < MAX_DIGESTS)
        *tsl_map_put(&m->digests, digest, NULL) = hash;
}

// ---------------------------------------------------------------- races

void tsl_race_tell(const tsl_race_sink *sink, const tsl_history *h, uint32_t first,
                   uint32_t second) {
    tsl_found found = {.history = h, .first = first, .second = second, .how = TSL_FOUND_ADJACENT};
    if (!tsl_race_is_data(h, first, second)) {
        if (!tsl_race_is_touched(h, first, second))
            return;
        found.how = TSL_FOUND_TOUCHED;
    }
    sink->found(sink->self, &found);
}

static bool has_memory(const tsl_op *op) {
    for (unsigned i = 0; i < op->naccesses; i++)
        if (tsl_is_memory(op->access[i].kind))
            return true;
    return false;
}

// The step appended last against those before it.
static void look(tsl_monitor *m) {
    uint32_t second = (uint32_t)m->history.steps.len - 1;
    if (!tsl_race_may_be(&m->history))
        return;
    tsl_race_find(&m->history, &m->races);
    for (size_t i = 0; i < m->races.len; i++)
        tsl_race_tell(m->sink, &m->history, m->races.data[i].first, second);
}

static void append(tsl_monitor *m, const tsl_step_view *view) {
    tsl_deadline_ask();
    tsl_history_append(&m->history, view);
    if (m->sink && has_memory(&view->op))
        look(m);
}

// A step against all that the clocks do not order with it.
static void tell(const tsl_monitor *m, const tsl_sync *sync, uint32_t second,
                 enum tsl_found_how how) {
    for (size_t i = 0; i < sync->races.len; i++)
        m->sink->found(m->sink->self, &(tsl_found){.history = &m->history,
                                                   .first = sync->races.data[i],
                                                   .second = second,
                                                   .how = how,
                                                   .sync = sync});
}

static void read_clocks(tsl_monitor *m, tsl_sync *sync, enum tsl_found_how how) {
    tsl_sync_begin(sync);
    for (uint32_t s = 0; s < m->history.steps.len; s++) {
        tsl_deadline_ask();
        tsl_sync_read(sync, &m->history, s);
        tell(m, sync, s, how);
    }
}

static void look_at_clocks(tsl_monitor *m) {
    if (m->history.by_clocks)
        read_clocks(m, &m->by_clocks, TSL_FOUND_WEAK);
    if (m->predicts)
        read_clocks(m, &m->ordered, TSL_FOUND_UNORDERED);
}

static void peek_at_clocks(tsl_monitor *m, uint32_t second) {
    if (m->history.by_clocks) {
        tsl_sync_peek(&m->by_clocks, &m->history, second);
        tell(m, &m->by_clocks, second, TSL_FOUND_WEAK);
    }
    if (m->predicts) {
        tsl_sync_peek(&m->ordered, &m->history, second);
        tell(m, &m->ordered, second, TSL_FOUND_UNORDERED);
    }
}

// ---------------------------------------------------------------- what runs share

// Back to the steps that are complete within what is shared, with all their notes.
static void go_back(tsl_monitor *m, size_t shared) {
    size_t n = m->history.steps.len;
    while (n > 0 && m->history.steps.data[n - 1].next_event >= shared)
        n--;
    tsl_history_cut(&m->history, n);
}

// What threads stood before when the run ended could have run, too.
static void look_at_pending(tsl_monitor *m, const tsl_run *run) {
    tsl_step_view view;
    size_t n = m->history.steps.len, at = tsl_run_behind(run);
    while (tsl_run_pending(run, &at, &view)) {
        if (!tsl_is_plain(view.op.kind))
            continue;
        view.next = 0;
        append(m, &view);
        peek_at_clocks(m, (uint32_t)n);
        tsl_history_cut(&m->history, n);
    }
}

bool tsl_monitor_read(tsl_monitor *m, const tsl_run *run, uint64_t *hash) {
    tsl_step_view view;
    uint64_t digest = tsl_digest_of(&m->digest, run);
    if (was_read(m, digest, hash))
        return false;
    size_t shared = tsl_prefix_common(&m->last, run);
    go_back(m, shared);
    for (size_t at = tsl_history_position(&m->history); tsl_run_step(run, at, &view);
         at = view.next)
        append(m, &view);
    *hash = tsl_history_hash(&m->history);
    note_read(m, digest, *hash);
    if (m->sink)
        look_at_clocks(m);
    if (m->sink && run->outcome != TSL_OUT_OK)
        look_at_pending(m, run);
    tsl_prefix_keep(&m->last, run, shared, tsl_run_end(run));
    return true;
}
