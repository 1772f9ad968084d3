#include "model/race.h"

#include "base/deadline.h"

// ---------------------------------------------------------------- the past

// The step's touch of the object, or TSL_NONE.
static uint32_t touch_of_object(const tsl_history *h, uint32_t step, uint32_t object) {
    for (uint32_t t = h->steps.data[step].touches; t < tsl_step_touches_end(h, step); t++)
        if (h->touches.data[t].object == object)
            return t;
    return TSL_NONE;
}

static bool touches(const tsl_history *h, uint32_t step, uint32_t object) {
    return touch_of_object(h, step, object) != TSL_NONE;
}

// The state of the object behind the step, if it was `state` before.
static uint32_t state_behind(const tsl_history *h, uint32_t state, uint32_t step, uint32_t object) {
    uint32_t t = touch_of_object(h, step, object);
    return t == TSL_NONE
               ? state
               : tsl_state_after(state, tsl_touch_access(h, t), h->steps.data[step].thread);
}

// The touch by which the step looked at the request or signal flag of its thread and found it set,
// or TSL_NONE.
static uint32_t look_at_request(const tsl_history *h, uint32_t s) {
    uint32_t t = h->steps.data[s].touches, end = tsl_step_touches_end(h, s);
    for (; t < end; t++)
        if (tsl_is_look(tsl_touch_access(h, t)->kind) && tsl_touch_access(h, t)->res)
            return t;
    return TSL_NONE;
}

// The touch that set the flag last before it was looked at, or TSL_NONE.
static uint32_t request_behind(const tsl_history *h, uint32_t look) {
    uint32_t t = h->touches.data[look].prev;
    return t == TSL_NONE || h->touches.data[t].role == TSL_ROLE_WRITE ? t : tsl_touch_other(h, t);
}

static uint32_t state_before(const tsl_history *h, uint32_t touch) {
    return tsl_touch_state(h, h->touches.data[touch].prev);
}

// The first of two requests is the one that matters.
static bool is_first_request(const tsl_history *h, uint32_t touch) {
    return touch != TSL_NONE && !state_before(h, touch);
}

// A request makes a call that waits a step of a kind that does not wait.  Returns the kind of the
// call without the request; for other steps, their own kind.
static unsigned waiting_kind(unsigned kind) {
    unsigned waiting = tsl_waiting_kind(kind);
    bool is_rwlock = tsl_event_row_of(kind)->type == TSL_SYNC_RWLOCK;
    return TSL_BROKEN(SIGNAL_LOCKS) && is_rwlock ? kind : waiting;
}

// The last step, s, waits for the object of its first access.  Could it have run without this
// request, after all steps that do not happen after the request?
static bool could_return_without(const tsl_history *h, uint32_t s, uint32_t request) {
    const tsl_step *step = &h->steps.data[s];
    uint32_t t = h->touches.data[step->touches].prev,
             object = h->touches.data[step->touches].object;
    while (t != TSL_NONE && h->touches.data[t].step > request)
        t = h->touches.data[t].prev;
    uint32_t state = tsl_touch_state(h, t);
    for (uint32_t j = request + 1; j < s; j++)
        if (!tsl_history_before(h, request, j))
            state = state_behind(h, state, j, object);
    return tsl_state_enabled(state, waiting_kind(step->kind), step->thread);
}

// The step that set the request to cancel, or the signal, without which the last step could not
// have run; or TSL_NONE.
static uint32_t needed_request(const tsl_history *h, uint32_t s) {
    uint32_t look = look_at_request(h, s);
    unsigned seen =
        look == TSL_NONE ? TSL_REQUEST_NONE : tsl_touch_access(h, look)->res & ~TSL_SIGNAL_TAKEN;
    if (seen != TSL_REQUEST_ONLY && seen != TSL_REQUEST_SEEN)
        return TSL_NONE;
    uint32_t set = request_behind(h, look);
    if (!is_first_request(h, set) || TSL_BROKEN(REQUEST_NEEDED))
        return TSL_NONE;
    uint32_t request = h->touches.data[set].step;
    unsigned kind = h->steps.data[s].kind;
    if (seen == TSL_REQUEST_SEEN &&
        (waiting_kind(kind) == kind || could_return_without(h, s, request)))
        return TSL_NONE;
    return request;
}

// Can the last step, s, not run before d?  It needs everything up to the step before it in its
// thread, the step that woke its thread, the end of the thread that it joins, and the arrivals of
// the barrier's round that it leaves.
static bool needs(const tsl_history *h, uint32_t s, uint32_t d) {
    const tsl_step *step = &h->steps.data[s];
    if (step->before != TSL_NONE && tsl_history_before(h, d, step->before))
        return true;
    if (step->woken_by != TSL_NONE &&
        (d == step->woken_by || tsl_history_before(h, d, step->woken_by)))
        return true;
    if (step->kind != TSL_EV_JOIN && step->kind != TSL_EV_BARRIER_LEAVE)
        return false;
    for (size_t i = 0; i < h->deps.len; i++) {
        uint32_t by = h->deps.data[i].step;
        if (h->deps.data[i].access != 0)
            continue;
        unsigned kind = h->steps.data[by].kind;
        bool needed = step->kind == TSL_EV_JOIN || kind == TSL_EV_BARRIER_ARRIVE;
        if (needed && (d == by || tsl_history_before(h, d, by)))
            return true;
    }
    return false;
}

// ---------------------------------------------------------------- partners

// Adds a partner.  Of several steps of one thread only the latest is kept, as in keep_latest.
static void add(const tsl_history *h, tsl_race_list *out, uint32_t first, uint32_t without) {
    unsigned slot = h->steps.data[first].slot;
    for (size_t i = 0; i < out->len; i++)
        if (h->steps.data[out->data[i].first].slot == slot) {
            if (out->data[i].first >= first)
                return;
            tsl_vec_remove(out, i);
            break;
        }
    tsl_vec_push(out, (tsl_race){first, without});
}

// Is there a post between touch t and touch `from` that does not happen after t?  It would let the
// wait for a semaphore through just as well.
static bool other_post(const tsl_history *h, uint32_t t, uint32_t from) {
    uint32_t d = h->touches.data[t].step;
    for (uint32_t k = from; k != t; k = h->touches.data[k].prev) {
        uint32_t post = h->touches.data[k].step;
        if (h->steps.data[post].kind == TSL_EV_SEM_POST &&
            h->touches.data[k].role == TSL_ROLE_ADD && !tsl_history_before(h, d, post))
            return true;
    }
    return false;
}

// Would the wait come before its semaphore is initialised?  Then it returns an error at once.
static bool comes_before_init(const tsl_history *h, uint32_t t, unsigned kind) {
    const tsl_touch *touch = &h->touches.data[t];
    return kind == TSL_EV_SEM_WAIT && touch->prev == TSL_NONE &&
           h->steps.data[touch->step].kind == TSL_EV_SEM_INIT;
}

// Could a step of this kind have run in the state before touch t?  The walk began at touch
// `latest`.
static bool could_run_at(const tsl_history *h, uint32_t t, uint32_t latest, unsigned kind,
                         unsigned thread) {
    return tsl_state_enabled(state_before(h, t), kind, thread) ||
           (kind == TSL_EV_SEM_WAIT && !TSL_BROKEN(POSTS) && other_post(h, t, latest)) ||
           comes_before_init(h, t, kind);
}

// Adds partners by walking back the touches of an object, as the head of race.h says.  `own` is the
// last step's touch of the object.  If `request` is a step, only steps that happen before it count.
static void walk_back(const tsl_history *h, uint32_t own, uint32_t request, tsl_race_list *out) {
    const tsl_touch *mine = &h->touches.data[own];
    const tsl_step *step = &h->steps.data[mine->step];
    bool waits = request != TSL_NONE;
    unsigned kind = waits ? waiting_kind(step->kind) : step->kind;
    unsigned role = waits ? TSL_ROLE_WRITE : mine->role;
    uint32_t exit = tsl_history_exit(h);
    for (uint32_t t = mine->prev, next; t != TSL_NONE; t = next) {
        const tsl_touch *touch = &h->touches.data[t];
        if (touch->step > exit) { // no other thread could have run there
            next = touch->prev;
            continue;
        }
        bool same = h->steps.data[touch->step].slot == step->slot;
        bool is_write = touch->role == TSL_ROLE_WRITE;
        bool conflict = tsl_roles_conflict(touch->role, role);
        next = conflict ? touch->prev : tsl_touch_other(h, t);
        if (same || needs(h, mine->step, touch->step)) {
            if (is_write)
                return;
            continue;
        }
        if (!conflict || (waits && !tsl_history_before(h, touch->step, request)))
            continue;
        if (!could_run_at(h, t, mine->prev, kind, step->thread)) {
            if (TSL_BROKEN(LOCK_PARTNER))
                return;
            continue;
        }
        add(h, out, touch->step,
            step->kind == TSL_EV_WRLOCK && !TSL_BROKEN(READERS) ? touch->object : TSL_NONE);
        if (is_write)
            return;
    }
}

static void keep_latest(const tsl_history *h, tsl_race_list *out) {
    size_t kept = 0;
    for (size_t i = 0; i < out->len; i++) {
        bool covered = false;
        for (size_t k = 0; k < out->len && !covered; k++)
            covered = i != k && out->data[i].first < out->data[k].first &&
                      tsl_history_before(h, out->data[i].first, out->data[k].first);
        // Covered partners are moved to the end instead of being lost, because they cover others.
        if (!covered) {
            tsl_race race = out->data[i];
            out->data[i] = out->data[kept];
            out->data[kept++] = race;
        }
    }
    out->len = kept;
}

// Could the last step, s, which can block, have run in the state that its object had before step d?
static bool could_run_before(const tsl_history *h, uint32_t s, uint32_t d) {
    const tsl_step *step = &h->steps.data[s];
    if (step->touches >= h->touches.len)
        return true;
    uint32_t t = h->touches.data[step->touches].prev;
    while (t != TSL_NONE && h->touches.data[t].step > d)
        t = h->touches.data[t].prev;
    return tsl_state_enabled(tsl_touch_state(h, t), step->kind, step->thread);
}

// Does d happen before another step on which the last step depends directly?
static bool is_covered(const tsl_history *h, uint32_t d) {
    for (size_t i = 0; i < h->deps.len; i++)
        if (h->deps.data[i].step > d && tsl_history_before(h, d, h->deps.data[i].step))
            return true;
    return false;
}

// The step conflicts with d about something else than the object it waits for (say, about a buffer
// that it reads into).  Could it run without d and what happens after d?
static bool could_come_before(const tsl_history *h, const tsl_step *step, uint32_t d) {
    bool freed = h->steps.data[d].kind == TSL_EV_FREE;
    if (step->kind != TSL_EV_IO_READ && step->kind != TSL_EV_IO_WRITE && !freed)
        return true;
    uint32_t t = h->touches.data[step->touches].prev;
    while (t != TSL_NONE &&
           (h->touches.data[t].step == d || tsl_history_before(h, d, h->touches.data[t].step)))
        t = h->touches.data[t].prev;
    return tsl_state_enabled(tsl_touch_state(h, t), step->kind, step->thread);
}

// Did d write to bytes of the object that step s waits for, without being a step on that object?
static bool overwrote(const tsl_history *h, uint32_t s, uint32_t d) {
    const tsl_step *step = &h->steps.data[s];
    return step->touches < h->touches.len && h->steps.data[d].kind != TSL_EV_FREE &&
           !touches(h, d, h->touches.data[step->touches].object);
}

// May the step of this dependence be a partner of the last step, s?  The object that s waits for is
// left to walk_back.
static inline bool may_be_partner(const tsl_history *h, uint32_t s, bool blocks,
                                  const tsl_dep *dep) {
    uint32_t d = dep->step;
    if (dep->access == TSL_DEP_ALWAYS)
        return false;
    if (dep->access == TSL_DEP_OPAQUE &&
        (is_covered(h, d) || (blocks && !could_run_before(h, s, d))))
        return false;
    if (!blocks)
        return true;
    if (dep->access == 0 && (!overwrote(h, s, d) || !could_run_before(h, s, d)))
        return false;
    return could_come_before(h, &h->steps.data[s], d);
}

void tsl_race_find(const tsl_history *h, tsl_race_list *out) {
    uint32_t s = (uint32_t)h->steps.len - 1;
    const tsl_step *step = &h->steps.data[s];
    out->len = 0;
    bool blocks = tsl_state_blocks(step->kind);
    if (step->kind == TSL_EV_START || (h->deps.len == 0 && !blocks))
        return;
    uint32_t exit = tsl_history_exit(h);
    if (exit != TSL_NONE && step->slot != h->steps.data[exit].slot) { // blocked since the exit
        if (blocks && step->kind != TSL_EV_JOIN && step->touches < h->touches.len)
            walk_back(h, step->touches, TSL_NONE, out);
        return;
    }
    uint32_t request = needed_request(h, s);
    for (size_t i = 0; i < h->deps.len; i++) {
        uint32_t d = h->deps.data[i].step;
        if (!may_be_partner(h, s, blocks, &h->deps.data[i]))
            continue;
        bool led_there = request != TSL_NONE && (d == request || tsl_history_before(h, d, request));
        if (!led_there && !needs(h, s, d))
            add(h, out, d, TSL_NONE);
    }
    if (blocks && step->kind != TSL_EV_JOIN && step->touches < h->touches.len)
        walk_back(h, step->touches, TSL_NONE, out);
    // Before the steps that led to the request, the step would have been a call that waits.
    if (request != TSL_NONE && tsl_state_blocks(waiting_kind(step->kind)) &&
        step->kind != TSL_EV_TRYJOIN && !TSL_BROKEN(REQUEST_WAITS))
        walk_back(h, step->touches, request, out);
    if (out->len > 1)
        keep_latest(h, out);
}

// ---------------------------------------------------------------- what runs instead

static bool happens_after_any(const tsl_history *h, const tsl_step_list *some, uint32_t step) {
    for (size_t i = 0; i < some->len; i++)
        if (tsl_history_before(h, some->data[i], step))
            return true;
    return false;
}

// Must the step be left out, because it touches race->without or happens after such a step?  The list
// gets the former.
static bool is_left_out(const tsl_history *h, const tsl_race *race, tsl_step_list *left_out,
                        uint32_t step) {
    bool root = touches(h, step, race->without);
    if (root)
        tsl_vec_push(left_out, step);
    return root || happens_after_any(h, left_out, step);
}

// Adds the steps of [from, to) that do not happen after the first.
static inline void add_rest(const tsl_history *h, uint32_t first, uint32_t from, size_t to,
                            tsl_step_list *out) {
    uint32_t *list = out->data, index = h->steps.data[first].index, failing = h->failing;
    unsigned slot = h->steps.data[first].slot;
    size_t n = out->len;
    for (uint32_t j = from; j < to; j++)
        if (tsl_history_knows(h, j, slot) < index && j != failing)
            list[n++] = j;
    out->len = n;
}

static void rest(const tsl_history *h, const tsl_race *race, uint32_t second, tsl_step_list *out,
                 tsl_step_list *left_out) {
    tsl_deadline_ask();
    size_t end = TSL_BROKEN(WHOLE_RUN) && second != TSL_NONE ? second : h->steps.len, n = 0;
    tsl_vec_clear(out);
    tsl_vec_reserve(out, end);
    add_rest(h, race->first, race->first + 1, second < end ? second : end, out);
    if (second < end)
        add_rest(h, race->first, second + 1, end, out);
    if (race->without == TSL_NONE)
        return;
    for (size_t i = 0; i < out->len; i++)
        if (!is_left_out(h, race, left_out, out->data[i]))
            out->data[n++] = out->data[i];
    out->len = n;
}

void tsl_race_rest_of_all(const tsl_history *h, const tsl_race *race, uint32_t second,
                          tsl_step_list *out) {
    tsl_step_list left_out = {0};
    rest(h, race, second, out, &left_out);
    tsl_vec_drop(&left_out);
}

bool tsl_race_rest(const tsl_history *h, const tsl_race *race, tsl_step_list *out) {
    uint32_t second = (uint32_t)h->steps.len - 1;
    tsl_step_list left_out = {0};
    bool ok = true;
    rest(h, race, second, out, &left_out);
    for (size_t i = 0; i < left_out.len && ok; i++)
        ok = !needs(h, second, left_out.data[i]);
    tsl_vec_drop(&left_out);
    return ok;
}

// ---------------------------------------------------------------- the second step, run earlier

static uint32_t first_cell(const tsl_history *h, uint32_t cell) {
    return h->objects.data[cell].is_first ? cell : h->objects.data[cell].memory;
}

// The touch by which the step touches what touch `t` of another step touches, or TSL_NONE.  A cell
// may have been split between the two.
static uint32_t touch_of_same(const tsl_history *h, uint32_t step, uint32_t t) {
    const tsl_touch *touch = &h->touches.data[t];
    if (h->objects.data[touch->object].key & 1)
        return touch_of_object(h, step, touch->object);
    for (uint32_t k = h->steps.data[step].touches; k < tsl_step_touches_end(h, step); k++) {
        const tsl_touch *other = &h->touches.data[k];
        if (!(h->objects.data[other->object].key & 1) && touch->mask & other->mask &&
            first_cell(h, other->object) == first_cell(h, touch->object))
            return k;
    }
    return TSL_NONE;
}

// How many steps of `rest` are of this kind and on this object?
static uint32_t count_kind(const tsl_history *h, const tsl_step_list *rest, unsigned kind,
                           uint32_t object) {
    uint32_t n = 0;
    for (size_t i = 0; i < rest->len; i++)
        n += h->steps.data[rest->data[i]].kind == kind && touches(h, rest->data[i], object);
    return n;
}

static bool is_value_dependent(unsigned kind) {
    return tsl_op_by_value(kind) || kind == TSL_EV_FUTEX_RETURN;
}

// Is it a compare-and-swap that counts as a write whether it stored or not?  So it does if inputs
// decide whether it stores, or if it may fail spuriously.
static bool inputs_decide(const tsl_history *h, uint32_t s) {
    return h->steps.data[s].kind == TSL_EV_CAS &&
           tsl_step_accesses_end(h, s) - h->steps.data[s].accesses > 1;
}

// Predicts a compare-and-swap: would it have found the value it expects if it had come before the
// first step of the race?  Returns false if that can't be told.
static bool predict_cas(const tsl_history *h, uint32_t first, uint32_t touch, tsl_access *a) {
    const tsl_access *other = tsl_touch_access(h, touch);
    bool spurious = h->steps.data[first].nchoices > 1;
    if (inputs_decide(h, first) && !spurious)
        return false;
    if (other->role == TSL_ROLE_READ)
        return true; // the first step changes nothing
    unsigned expects = a->res >> 1,
             was = other->kind == TSL_EV_CAS ? other->res >> 1 : other->res & ~TSL_RMW_SAME;
    if (!expects || !was || other->addr != a->addr || other->size != a->size)
        return false;
    a->role = was == expects ? TSL_ROLE_WRITE : TSL_ROLE_READ;
    return true;
}

// Predicts the role that the access has if the second step runs in place of the first.  `t` is the
// second step's touch that belongs to the access.  Returns false if the role can't be predicted.
static bool predict(const tsl_history *h, const tsl_race *race, const tsl_step_list *rest,
                    uint32_t t, tsl_access *a) {
    uint32_t object = h->touches.data[t].object;
    uint32_t other = touch_of_same(h, race->first, t);
    if (other == TSL_NONE) // the two do not race about this access, so its role stays
        return !is_value_dependent(a->kind);
    if (a->kind == TSL_EV_CAS)
        return predict_cas(h, race->first, other, a);
    if (a->kind == TSL_EV_BARRIER_ARRIVE) {
        uint32_t before = count_kind(h, rest, TSL_EV_BARRIER_ARRIVE, object);
        uint32_t left = h->steps.data[race->first].res;
        a->res = (uint16_t)(left > before ? left - before : 0);
        return true;
    }
    uint32_t state = state_before(h, other);
    for (size_t i = 0; i < rest->len; i++)
        state = state_behind(h, state, rest->data[i], object);
    if (a->kind == TSL_EV_ONCE && h->steps.data[race->first].kind == TSL_EV_BARRIER_LEAVE)
        state = 0; // the first thread to leave the round is the serial one
    enum tsl_predicted role = tsl_state_predict(state, a->kind);
    if (role == TSL_PREDICT_READ)
        a->role = TSL_ROLE_READ;
    else if (role == TSL_PREDICT_CHANGE)
        a->role = tsl_role_rule(a->kind) == TSL_RULE_ADD_IF ? TSL_ROLE_ADD : TSL_ROLE_WRITE;
    return role != TSL_PREDICT_UNKNOWN || !is_value_dependent(a->kind);
}

bool tsl_race_second(const tsl_history *h, const tsl_race *race, const tsl_step_list *rest,
                     tsl_op *op) {
    uint32_t s = (uint32_t)h->steps.len - 1, t = h->steps.data[s].touches;
    bool sure = true;
    *op = tsl_history_op(h, s);
    for (; t < h->touches.len; t++) {
        tsl_access *a = &op->access[h->touches.data[t].access];
        if (tsl_op_varies(a->kind) && !(h->coarse && tsl_op_by_value(a->kind)))
            sure &= predict(h, race, rest, t, a);
    }
    // What the compare-and-swap would find there is known, so inputs no longer decide.
    const tsl_access *first = &h->accesses.data[h->steps.data[race->first].accesses];
    if (sure && inputs_decide(h, s) && !h->coarse && first->role != TSL_ROLE_READ)
        op->naccesses = 1;
    return sure;
}

// ---------------------------------------------------------------- data races

// Is it a write?  The role does not tell, because a history may treat reads as writes.
static bool is_write(const tsl_access *a) {
    return !tsl_is_load(a->kind) && (a->kind != TSL_EV_CAS || (a->res & 1));
}

// Two frees of one block are no data race: they are a double free in either order, and reported so.
static inline bool do_race(const tsl_access *a, const tsl_access *b) {
    return (tsl_is_plain(a->kind) || tsl_is_plain(b->kind)) && tsl_is_memory(a->kind) &&
           tsl_is_memory(b->kind) && (is_write(a) || is_write(b)) && tsl_overlap(a, b) &&
           (a->kind != TSL_EV_FREE || b->kind != TSL_EV_FREE);
}

// Is it an access of the program?  An atomic access that is not the step's own is one of the
// runtime (a futex that compares its word, a loop that waits), or only tells how the step may come
// out.
static bool counts(const tsl_access *a, unsigned kind) {
    bool own = a->kind == kind || kind == TSL_EV_SECTION;
    return tsl_is_plain(a->kind) || (own && !TSL_BROKEN(MIXED));
}

// The accesses of a step.
typedef struct accesses {
    unsigned kind; // of the step
    const tsl_access *list;
    size_t n;
} accesses;

static bool any_race(accesses a, accesses b, size_t at[2]) {
    for (at[0] = 0; at[0] < a.n; at[0]++)
        for (at[1] = 0; at[1] < b.n; at[1]++)
            if (counts(&a.list[at[0]], a.kind) && counts(&b.list[at[1]], b.kind) &&
                do_race(&a.list[at[0]], &b.list[at[1]]))
                return true;
    return false;
}

static accesses accesses_of(const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    return (accesses){step->kind, &h->accesses.data[step->accesses],
                      tsl_step_accesses_end(h, s) - step->accesses};
}

bool tsl_race_of(const tsl_op *a, const tsl_op *b, tsl_access *x, tsl_access *y) {
    size_t at[2];
    if (!any_race((accesses){a->kind, a->access, a->naccesses},
                  (accesses){b->kind, b->access, b->naccesses}, at))
        return false;
    *x = a->access[at[0]];
    *y = b->access[at[1]];
    return true;
}

bool tsl_race_is_data(const tsl_history *h, uint32_t a, uint32_t b) {
    size_t at[2];
    accesses x = accesses_of(h, a), y = accesses_of(h, b);
    if (x.n == 1 && y.n == 1) // nearly always
        return do_race(x.list, y.list) && counts(x.list, x.kind) && counts(y.list, y.kind);
    return any_race(x, y, at);
}

static bool any_touched(accesses by, accesses of) {
    for (size_t i = 0; i < by.n; i++)
        for (size_t k = 0; by.list[i].kind == TSL_EV_TOUCH && k < of.n; k++)
            if (counts(&of.list[k], of.kind) && tsl_is_memory(of.list[k].kind) &&
                of.list[k].kind != TSL_EV_TOUCH && tsl_overlap(&by.list[i], &of.list[k]))
                return true;
    return false;
}

bool tsl_race_is_touched(const tsl_history *h, uint32_t a, uint32_t b) {
    if (!h->has_touch)
        return false;
    accesses x = accesses_of(h, a), y = accesses_of(h, b);
    return any_touched(x, y) || any_touched(y, x);
}
