#include "explore/suspects.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "explore/plan.h"

// ---------------------------------------------------------------- is the pair new?

static uint64_t place_of(const tsl_history *h, uint32_t s) {
    return (uint64_t)h->steps.data[s].site << 8 | h->steps.data[s].kind;
}

static uint64_t pair_of(const tsl_found *f) {
    uint64_t a = place_of(f->history, f->first), b = place_of(f->history, f->second);
    return tsl_hash_u64(tsl_hash_u64(0, a < b ? a : b), a < b ? b : a);
}

// A pair is kept once for each way it was found, but not again after it was found adjacent: that is
// the easiest to confirm.
static bool is_seen(const tsl_suspects *s, const tsl_found *f) {
    uint64_t pair = pair_of(f);
    return tsl_set_has(&s->seen, pair + TSL_FOUND_ADJACENT) || tsl_set_has(&s->seen, pair + f->how);
}

static bool is_new(tsl_suspects *s, const tsl_found *f) {
    return !is_seen(s, f) && tsl_set_insert(&s->seen, pair_of(f) + f->how);
}

// ---------------------------------------------------------------- Plans

// A Plan to where both threads stand before their accesses.
static void plan_to_stand(tsl_suspects *s, const tsl_found *f, tsl_plan *plan) {
    tsl_race race = {f->first, TSL_NONE};
    if (f->how == TSL_FOUND_ADJACENT)
        tsl_race_rest(f->history, &race, &s->rest);
    else
        tsl_sync_rest(f->sync, f->history, f->first, f->second, &s->rest);
    tsl_search_stop_plan(&s->search, s->campaign->plan, plan);
    for (uint32_t i = 0; i < f->first; i++)
        tsl_plan_add_step(plan, f->history, i);
    for (size_t i = 0; i < s->rest.len; i++)
        tsl_plan_add_step(plan, f->history, s->rest.data[i]);
}

// A Plan for the run up to the second access, without the steps that do not happen before it.
static void plan_whole(const tsl_suspects *s, const tsl_found *f, tsl_plan *plan) {
    tsl_search_stop_plan(&s->search, s->campaign->plan, plan);
    for (uint32_t i = 0; i <= f->second; i++)
        if (i == f->second || tsl_history_before(f->history, i, f->second))
            tsl_plan_add_step(plan, f->history, i);
}

// ---------------------------------------------------------------- what is kept

static bool touches(const tsl_history *h, uint32_t s) {
    for (uint32_t i = h->steps.data[s].accesses; i < tsl_step_accesses_end(h, s); i++)
        if (h->accesses.data[i].kind == TSL_EV_TOUCH)
            return true;
    return false;
}

static void keep_touched(tsl_suspects *s, const tsl_found *f) {
    const tsl_history *h = f->history;
    bool inside = f->how == TSL_FOUND_INSIDE;
    bool is_first = inside ? !tsl_race_may_be_data(h, f->first) : touches(h, f->first);
    uint32_t call = is_first ? f->first : f->second, access = is_first ? f->second : f->first;
    tsl_vec_push(&s->touched, (tsl_touched){.call = h->steps.data[call].site,
                                            .access = h->steps.data[access].site,
                                            .inside = inside});
}

static tsl_stand stand_of(const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    return (tsl_stand){step->thread, step->kind, step->site, step->key};
}

static void keep_suspect(tsl_suspects *s, const tsl_found *f) {
    tsl_suspect suspect = {
        .side = {stand_of(f->history, f->first), stand_of(f->history, f->second)},
        .how = f->how,
        .execution = s->campaign->counts->executions};
    plan_to_stand(s, f, &suspect.plan);
    if (f->how == TSL_FOUND_WEAK)
        plan_whole(s, f, &suspect.whole);
    tsl_vec_push(&s->list, suspect);
}

static void found(void *self, const tsl_found *f) {
    tsl_suspects *s = self;
    if (tsl_deadline_passed()) // to make the Plans takes as long as the run is
        s->campaign->counts->untried += f->how != TSL_FOUND_UNORDERED && !is_seen(s, f);
    else if (!is_new(s, f))
        return;
    else if (f->how == TSL_FOUND_TOUCHED || f->how == TSL_FOUND_INSIDE)
        keep_touched(s, f);
    else
        keep_suspect(s, f);
}

// ---------------------------------------------------------------- lifetime

void tsl_suspects_init(tsl_suspects *s, const tsl_search *search, const tsl_campaign *campaign) {
    *s = (tsl_suspects){.sink = {s, found}, .search = *search, .campaign = campaign};
}

void tsl_suspects_clear(tsl_suspects *s) {
    for (size_t i = 0; i < s->list.len; i++) {
        tsl_plan_drop(&s->list.data[i].plan);
        tsl_plan_drop(&s->list.data[i].whole);
    }
    tsl_vec_clear(&s->list);
    tsl_vec_clear(&s->touched);
    tsl_set_clear(&s->seen);
}

void tsl_suspects_drop(tsl_suspects *s) {
    tsl_suspects_clear(s);
    tsl_vec_drop(&s->list);
    tsl_vec_drop(&s->touched);
    tsl_vec_drop(&s->rest);
    tsl_set_drop(&s->seen);
}
