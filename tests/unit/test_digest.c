// Do two runs with the same digest have the same order, whatever their steps are?
//
// The test goes through every pair of kinds, at the same address and at addresses that overlap in
// part, in both orders.  If the history distinguishes the two orders, the digest must as well,
// because a run whose digest was seen before is not read.
#include "unit.h"

#include <stdio.h>

#include "abi/conflict.h"
#include "model/digest.h"
#include "model/history.h"

enum { BASE = 0x10000 };

static const uint64_t offsets[] = {0, 4, 8, 31, 39, 47, 55, 64};

typedef struct two_orders {
    tsl_digest digest;
    tsl_history history;
    uint64_t pairs, told, failed;
} two_orders;

static tsl_event step(unsigned kind, unsigned thread, uint64_t addr, unsigned code, unsigned res) {
    return (tsl_event){.addr = addr,
                       .kind = kind & 255u,
                       .arg = code & 15u,
                       .thread = (uint16_t)thread,
                       .res = (uint16_t)res};
}

static uint64_t history_of(tsl_history *h, const tsl_run *run) {
    tsl_history_cut(h, 0);
    tsl_history_read(h, run);
    return tsl_history_hash(h);
}

static void check_pair(two_orders *t, tsl_event a, tsl_event b) {
    tsl_trace_head head = {.outcome = TSL_OUT_OK};
    tsl_event one[] = {a, b}, other[] = {b, a};
    tsl_run first = {0}, second = {0};
    tsl_run_take(&first, &(tsl_trace){.head = &head, .events = one, .nevents = 2}, NULL);
    tsl_run_take(&second, &(tsl_trace){.head = &head, .events = other, .nevents = 2}, NULL);
    bool apart = history_of(&t->history, &first) != history_of(&t->history, &second);
    bool told = tsl_digest_of(&t->digest, &first) != tsl_digest_of(&t->digest, &second);
    tsl_run_drop(&first);
    tsl_run_drop(&second);
    t->pairs++;
    t->told += apart;
    if (apart && !told && t->failed++ < 10)
        printf("# %s (size %u) and %s (size %u) %lu bytes behind it: orders with one digest\n",
               tsl_event_name(a.kind), a.arg, tsl_event_name(b.kind), b.arg,
               (unsigned long)(b.addr - a.addr));
}

// The size code is a power of two for memory, the number of a type for objects.
static unsigned codes_of(unsigned kind) { return tsl_is_memory(kind) ? 4 : TSL_SYNC_OBJECTS; }

// Flags of threads have numbers and do not lie in memory.
static bool is_flag(unsigned kind) {
    return kind == TSL_EV_CANCEL || kind == TSL_EV_KILL || tsl_is_look(kind);
}

static bool can_meet(unsigned a, unsigned b) {
    bool touch = tsl_role_rule(a) != TSL_RULE_NONE && tsl_role_rule(b) != TSL_RULE_NONE;
    return touch && !tsl_is_note(a) && !tsl_is_note(b) && is_flag(a) == is_flag(b);
}

static void check_kinds(two_orders *t, unsigned a, unsigned b) {
    for (unsigned ca = 0; ca < codes_of(a); ca++)
        for (unsigned cb = 0; cb < codes_of(b); cb += 3)
            for (unsigned i = 0; i < sizeof offsets / sizeof *offsets; i++)
                for (unsigned res = 0; res < 2; res++)
                    check_pair(t, step(a, 0, BASE, ca, res),
                               step(b, 1, BASE + offsets[i], cb, res));
}

static void orders_that_differ_have_different_digests(void **state) {
    (void)state;
    two_orders t = {0};
    tsl_history_init(&t.history);
    for (unsigned a = 0; a < TSL_EV_COUNT; a++)
        for (unsigned b = 0; b < TSL_EV_COUNT; b++)
            if (can_meet(a, b)) {
                tsl_digest_init(&t.digest); // an object is new to it
                check_kinds(&t, a, b);
                tsl_digest_drop(&t.digest);
            }
    tsl_history_drop(&t.history);
    printf("# %lu pairs, %lu of them depend on each other\n", (unsigned long)t.pairs,
           (unsigned long)t.told);
    assert_int_equal(t.failed, 0);
    assert_true(t.told > t.pairs / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders_that_differ_have_different_digests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
