// A step that was pending when the run ended was not executed.
#include "unit.h"

#include "model/history.h"

// Its memory order is not known.  It must not count as a weak one, because then each later run
// would be read once more.
static void pending_atomics_weaken_nothing(void **state) {
    (void)state;
    unsigned atomics = 0;
    for (unsigned kind = 0; kind < TSL_EV_COUNT; kind++) {
        if (!tsl_is_atomic(kind))
            continue;
        tsl_event note = {.kind = TSL_EV_PENDING, .arg = (uint8_t)kind, .addr = 0x1000, .res = 2};
        tsl_trace_head head = {0};
        tsl_run run = {0};
        assert_true(
            tsl_run_take(&run, &(tsl_trace){.head = &head, .events = &note, .nevents = 1}, NULL));
        tsl_step_view view;
        size_t at = 0;
        assert_true(tsl_run_pending(&run, &at, &view));
        tsl_history h;
        tsl_history_init(&h);
        tsl_history_append(&h, &view);
        assert_false(h.by_clocks);
        tsl_history_drop(&h);
        tsl_run_drop(&run);
        atomics++;
    }
    assert_true(atomics >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pending_atomics_weaken_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
