// Which Traces does tsl_run_take refuse?
//
// Random events, most of which make sense, against the rules in their shortest form.  A run that
// begins like an earlier one is not checked again there; it must be refused all the same if it makes
// no sense.
#include "unit.h"

#include "base/rng.h"
#include "model/run.h"

enum { TRACES = 100000, EVENTS = 60 };

static bool is_step(unsigned kind) { return kind < TSL_EV_COUNT && !tsl_is_note(kind); }

static bool makes_sense(const tsl_event *e) {
    bool names_thread =
        e->kind == TSL_EV_ENABLE || e->kind == TSL_EV_DISABLE || e->kind == TSL_EV_WAKE;
    return e->kind != TSL_EV_NONE && e->kind < TSL_EV_COUNT && e->thread < TSL_MAX_THREADS &&
           (!names_thread || e->res < TSL_MAX_THREADS) &&
           (e->kind != TSL_EV_CHOICE || e->res < e->addr) &&
           (e->kind != TSL_EV_ALSO || is_step(e->res & 255)) &&
           (e->kind != TSL_EV_PENDING || is_step(e->arg));
}

static bool is_sound(const tsl_event *events, size_t n) {
    bool pending = false;
    for (size_t i = 0; i < n; i++) {
        if (!makes_sense(&events[i]) || (pending && is_step(events[i].kind)))
            return false;
        pending |= events[i].kind == TSL_EV_PENDING;
    }
    return true;
}

static tsl_event draw(tsl_rng *rng, bool at_end) {
    tsl_event e = {.kind = (uint8_t)(TSL_EV_READ + tsl_rng_below(rng, TSL_EV_COUNT - TSL_EV_READ)),
                   .thread = (uint16_t)tsl_rng_below(rng, 4),
                   .addr = 2 + tsl_rng_below(rng, 3)};
    if (at_end || tsl_rng_below(rng, 4) == 0)
        e.kind = (uint8_t)(TSL_EV_ENABLE + tsl_rng_below(rng, TSL_EV_PENDING - TSL_EV_ENABLE));
    if (e.kind == TSL_EV_ALSO)
        e.res = TSL_EV_READ;
    if (e.kind == TSL_EV_CHOICE)
        e.res = tsl_rng_below(rng, 100) ? 0 : (uint16_t)e.addr;
    if (at_end && tsl_rng_below(rng, 2))
        e = (tsl_event){.kind = TSL_EV_PENDING, .arg = TSL_EV_LOCK};
    if (tsl_rng_below(rng, 200) == 0) {
        uint64_t words[2] = {tsl_rng_next(rng), tsl_rng_next(rng)};
        memcpy(&e, words, sizeof e);
    }
    return e;
}

static void takes_what_makes_sense(void **state) {
    (void)state;
    static tsl_event events[EVENTS];
    tsl_trace_head head = {.outcome = TSL_OUT_OK};
    tsl_run run = {0}, earlier = {0};
    tsl_rng rng;
    size_t sound = 0, shared = 0, steps = 0;
    tsl_rng_init(&rng, 1);
    for (unsigned k = 0; k < TRACES; k++) {
        size_t n = tsl_rng_below(&rng, EVENTS + 1), end = n - tsl_rng_below(&rng, n + 1) / 4;
        // Behind this position nothing is as in the last Trace that made sense.
        size_t keep = tsl_rng_below(&rng, (steps < n ? steps : n) + 2);
        for (size_t i = keep; i < n; i++)
            events[i] = draw(&rng, i >= end);
        tsl_trace trace = {.head = &head, .events = events, .nevents = n};
        bool good = is_sound(events, n);
        assert_int_equal(tsl_run_take(&run, &trace, &earlier.copy), good);
        assert_int_equal(run.trace.nevents, good ? n : 0);
        steps = good ? end : 0;
        if (!good)
            continue;
        tsl_run_check(&run);
        sound++;
        shared += run.nknown > 0;
        assert_true(tsl_run_take(&earlier, &trace, NULL));
        assert_memory_equal(run.trace.events, events, n * sizeof *events);
    }
    assert_true(sound > TRACES / 4 && sound < TRACES && shared > TRACES / 20);
    tsl_run_drop(&run);
    tsl_run_drop(&earlier);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_what_makes_sense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
