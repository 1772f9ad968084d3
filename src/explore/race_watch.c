#include "explore/race_watch.h"

#include "base/deadline.h"

void tsl_race_watch_init(tsl_race_watch *w, const tsl_race_sink *sink, bool predicts) {
    *w = (tsl_race_watch){.sink = sink, .predicts = sink && predicts};
    tsl_history_init(&w->history);
    tsl_sync_init(&w->ordered, false);
    tsl_sync_init(&w->by_clocks, true);
    tsl_digest_init(&w->digest);
}

void tsl_race_watch_drop(tsl_race_watch *w) {
    tsl_history_drop(&w->history);
    tsl_sync_drop(&w->ordered);
    tsl_sync_drop(&w->by_clocks);
    tsl_vec_drop(&w->races);
    tsl_prefix_drop(&w->last);
    tsl_digest_drop(&w->digest);
    tsl_map_drop(&w->digests);
}

enum { MAX_DIGESTS = 1 << 22 }; // runs with other digests are read again each time

static bool was_read(const tsl_race_watch *w, uint64_t digest, uint64_t *hash) {
    const uint64_t *known = tsl_map_get(&w->digests, digest);
    if (known)
        *hash = *known;
    return known != NULL;
}

static void note_read(tsl_race_watch *w, uint64_t digest, uint64_t hash) {
    if (w->digests.len < MAX_DIGESTS)
        *tsl_map_put(&w->digests, digest, NULL) = hash;
}

// ---------------------------------------------------------------- races

static void append(tsl_race_watch *w, const tsl_step_view *view) {
    tsl_deadline_ask();
    uint32_t s = tsl_history_append(&w->history, view);
    if (!w->sink || !tsl_race_may_be_data(&w->history, s) || !tsl_race_may_be(&w->history))
        return;
    tsl_race_find(&w->history, &w->races);
    tsl_found_adjacent(w->sink, &w->history, &w->races);
}

// `find` looks at the whole history, because clocks can't be cut back as the history is; or at the
// last step only.
static void look_at_clocks(tsl_race_watch *w, tsl_found_by *find) {
    if (w->history.by_clocks)
        find(w->sink, &w->history, &w->by_clocks, TSL_FOUND_WEAK);
    if (w->predicts)
        find(w->sink, &w->history, &w->ordered, TSL_FOUND_UNORDERED);
}

// ---------------------------------------------------------------- what runs share

// Cuts the history back to the steps that lie in the shared events with all their notes.
static void go_back(tsl_race_watch *w, size_t shared) {
    size_t n = w->history.steps.len;
    while (n > 0 && w->history.steps.data[n - 1].next_event >= shared)
        n--;
    tsl_history_cut(&w->history, n);
}

// The steps that threads stood before when the run ended could have come next, too.
static void look_at_pending(tsl_race_watch *w, const tsl_run *run) {
    tsl_step_view view;
    size_t n = w->history.steps.len, at = tsl_run_behind(run);
    while (tsl_run_pending(run, &at, &view)) {
        if (!tsl_is_plain(view.op.kind))
            continue;
        view.next = 0;
        append(w, &view);
        look_at_clocks(w, tsl_found_pending);
        tsl_history_cut(&w->history, n);
    }
}

bool tsl_race_watch_read(tsl_race_watch *w, const tsl_run *run, uint64_t *hash) {
    tsl_step_view view;
    uint64_t digest = tsl_digest_of(&w->digest, run);
    if (was_read(w, digest, hash))
        return false;
    size_t shared = tsl_prefix_common(&w->last, run);
    go_back(w, shared);
    for (size_t at = tsl_history_position(&w->history); tsl_run_step(run, at, &view);
         at = view.next)
        append(w, &view);
    *hash = tsl_history_hash(&w->history);
    note_read(w, digest, *hash);
    if (w->sink)
        look_at_clocks(w, tsl_found_by_clocks);
    if (w->sink && run->outcome != TSL_OUT_OK)
        look_at_pending(w, run);
    tsl_prefix_keep(&w->last, run, shared, tsl_run_end(run));
    return true;
}
