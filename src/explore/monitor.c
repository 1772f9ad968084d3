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
    tsl_vec_drop(&m->last);
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

// Events are two words without padding.
static size_t in_common(const tsl_monitor *m, const tsl_trace *trace) {
    size_t n = trace->nevents < m->last.len ? trace->nevents : m->last.len, i = 0;
    while (i < n && memcmp(&m->last.data[i], &trace->events[i], sizeof(tsl_event)) == 0)
        i++;
    return i;
}

static void keep(tsl_monitor *m, const tsl_trace *trace) {
    tsl_vec_reserve(&m->last, trace->nevents);
    if (trace->nevents)
        memcpy(m->last.data, trace->events, trace->nevents * sizeof(tsl_event));
    m->last.len = trace->nevents;
}

// Back to the steps that are complete within what is shared, with all their notes.
static void go_back(tsl_monitor *m, size_t shared) {
    size_t n = m->history.steps.len;
    while (n > 0 && m->history.steps.data[n - 1].next_event >= shared)
        n--;
    tsl_history_cut(&m->history, n);
}

// What threads stood before when the run ended could have run, too.
static void look_at_pending(tsl_monitor *m, const tsl_trace *trace) {
    tsl_step_view view;
    size_t n = m->history.steps.len, at = n ? tsl_vec_last(&m->history.steps).next_event : 0;
    while (at > 0 && tsl_is_note(trace->events[at - 1].kind)) // they follow the last step
        at--;
    while (tsl_step_read_pending(trace, &at, &view)) {
        if (!tsl_is_plain(view.op.kind))
            continue;
        view.next = 0;
        append(m, &view);
        peek_at_clocks(m, (uint32_t)n);
        tsl_history_cut(&m->history, n);
    }
}

bool tsl_monitor_read(tsl_monitor *m, const tsl_trace *trace, uint64_t *hash) {
    tsl_step_view view;
    uint64_t digest = tsl_digest_of(&m->digest, trace);
    if (was_read(m, digest, hash))
        return false;
    go_back(m, in_common(m, trace));
    size_t at = m->history.steps.len ? tsl_vec_last(&m->history.steps).next_event : 0;
    for (; tsl_step_read(trace, at, &view); at = view.next)
        append(m, &view);
    *hash = tsl_history_hash(&m->history);
    note_read(m, digest, *hash);
    if (m->sink)
        look_at_clocks(m);
    if (m->sink && trace->head->outcome != TSL_OUT_OK)
        look_at_pending(m, trace);
    keep(m, trace);
    return true;
}
