// The notes that follow a step: what it does besides what its event tells.
#include "notes.h"
#include "state.h"

void tslrt_also(unsigned kind, const void *object, unsigned res, unsigned size_code) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    if (RUN->exclusive.event && tsl_is_memory(kind) && size_code != TSL_ARG_RANGE) {
        tslrt_exclusive_access(object, 0, kind, 1ull << size_code);
        return;
    }
    tslrt_note(TSL_EV_ALSO, (uintptr_t)object, kind | res << 8);
    TSL_HOT->cursor[-1].arg = (uint8_t)size_code;
}

void tslrt_note_length(uint64_t size) {
    tslrt_note(TSL_EV_LENGTH, size, 0);
    if (__builtin_expect(size > TSL_MOST_RANGE, 0))
        tslrt_weaken(
            TSL_REASON_UNCONTROLLED,
            "more than 16 MiB are accessed at once: that is one step, which depends on all "
            "others, and data races with it are not looked for");
}

void tslrt_also_range(unsigned kind, const void *p, uint64_t size) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING || size == 0)
        return;
    if (RUN->exclusive.event && tsl_is_memory(kind)) {
        tslrt_exclusive_access(p, 0, kind, size);
        return;
    }
    tslrt_also(kind, p, 0, TSL_ARG_RANGE);
    tslrt_note_length(size);
}

void tslrt_woke(const void *object, const tslrt_fiber *waiter) {
    tslrt_note(TSL_EV_WAKE, (uintptr_t)object, waiter->id);
    bool requested = waiter->cancel.at_point && tslrt_cancel_wanted(waiter);
    TSL_HOT->cursor[-1].arg =
        (uint8_t)((waiter->wait.may_give_up || requested) | waiter->cancel.at_point << 1);
}

void tslrt_enable_woken(const tsl_event *first) {
    for (const tsl_event *end = TSL_HOT->cursor; first < end; first++)
        if (first->kind == TSL_EV_WAKE) {
            tslrt_fiber *fiber = tslrt_fiber_at(first->res % TSL_MAX_THREADS);
            tslrt_set_enabled(fiber, tslrt_can_run(fiber));
        }
}
