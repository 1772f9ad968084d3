// src/trace: plans, hashes, a trace's schedule as a plan, printing, replay files.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "trace/print.h"
#include "trace/replay.h"
#include "trace/trace.h"

// ---------------------------------------------------------------- plans and traces

static tsl_event event(unsigned kind, uint16_t thread, uint64_t addr, uint16_t res) {
    return (tsl_event){.addr = addr & 0xffffffffffffu,
                       .kind = kind & 0xffu,
                       .arg = 2,
                       .site = 1,
                       .thread = thread,
                       .res = res};
}

static void assert_items(const tsl_plan *plan, const char *expected) {
    tsl_buf text = {0};
    tsl_print_items(&plan->items, &text);
    assert_string_equal(tsl_buf_text(&text), expected);
    tsl_buf_drop(&text);
}

static void plan_run_lengths(void **state) {
    (void)state;
    tsl_plan a, b;
    tsl_plan_init(&a);
    tsl_plan_init(&b);
    assert_int_equal(a.policy, TSL_POLICY_STAY);
    assert_true(a.max_steps > 0);
    tsl_plan_step(&a, 0);
    tsl_plan_step(&a, 0);
    tsl_plan_choice(&a, 3);
    tsl_plan_choice(&a, 3);
    tsl_plan_step(&a, 0);
    tsl_plan_step(&a, 1);
    assert_items(&a, "0*2 c3 c3 0 1");
    a.items.data[4].count = UINT32_MAX; // a full item is left alone
    tsl_plan_step(&a, 1);
    assert_items(&a, "0*2 c3 c3 0 1*4294967295 1");
    a.seed = 9;
    tsl_plan_copy(&b, &a);
    tsl_plan_copy(&b, &b);
    tsl_plan_drop(&a);
    assert_items(&b, "0*2 c3 c3 0 1*4294967295 1");
    assert_true(b.seed == 9);
    tsl_plan_drop(&b);
    assert_true(b.items.len == 0);
}

static void tables_are_whole(void **state) {
    (void)state;
    assert_string_equal(tsl_event_name(TSL_EV_CAS), "cas");
    assert_string_equal(tsl_event_name(9999), "unknown");
    assert_int_equal(tsl_event_class(TSL_EV_LOCK), TSL_CLASS_SYNC);
    assert_false(tsl_event_is_step(TSL_EV_CHOICE));
    assert_false(tsl_event_is_step(TSL_EV_ALLOC));
    assert_true(tsl_event_is_step(TSL_EV_YIELD));
    assert_false(tsl_event_is_step(9999));
    assert_string_equal(tsl_outcome_kind(TSL_OUT_ABORT), "assertion");
    assert_string_equal(tsl_outcome_headline(TSL_OUT_DEADLOCK), "deadlock");
    assert_true(tsl_outcome_is_bug(TSL_OUT_LEAK));
    assert_false(tsl_outcome_is_bug(TSL_OUT_STEP_LIMIT));
    assert_false(tsl_outcome_is_bug(9999));
}

static void trace_to_plan(void **state) {
    (void)state;
    const tsl_event events[] = {
        event(TSL_EV_CREATE, 0, 0, 1), event(TSL_EV_ENABLE, 0, 0, 1),
        event(TSL_EV_WRITE, 0, 16, 0), event(TSL_EV_LENGTH, 0, 3, 0),
        event(TSL_EV_START, 1, 0, 0),  event(TSL_EV_SIGNAL, 1, 32, 0),
        event(TSL_EV_CHOICE, 1, 3, 2), event(TSL_EV_DISABLE, 1, 0, 0),
        event(TSL_EV_WRITE, 1, 16, 0), event(TSL_EV_ALLOC, 1, 99, 0),
        event(TSL_EV_READ, 1, 16, 0),  event(TSL_EV_RANDOM, 0, 0, 0),
        event(TSL_EV_CHOICE, 0, 2, 0), event(TSL_EV_CHOICE, 0, 2, 1),
    };
    tsl_trace trace = {.events = events, .nevents = sizeof events / sizeof *events};
    tsl_plan ran, out;
    tsl_plan_init(&ran);
    tsl_plan_init(&out);
    ran.seed = 5;
    ran.flags = TSL_PLAN_LEAKS;
    ran.policy = TSL_POLICY_FAIR;
    ran.max_steps = 77;
    tsl_plan_step(&out, 8); // must go
    tsl_trace_to_plan(&trace, &ran, &out);
    assert_items(&out, "0*2 1*2 c2 1*2 0 c0 c1");
    assert_true(out.seed == 5 && out.flags == TSL_PLAN_LEAKS && out.max_steps == 77);
    assert_int_equal(out.policy, TSL_POLICY_FAIR);
    tsl_trace_to_plan(&trace, &out, &out); // in place
    assert_items(&out, "0*2 1*2 c2 1*2 0 c0 c1");
    tsl_plan_drop(&ran);
    tsl_plan_drop(&out);
}

static void hash_sees_what_it_must(void **state) {
    (void)state;
    tsl_trace_head *head = tsl_alloc(sizeof *head);
    tsl_event events[2] = {event(TSL_EV_READ, 0, 16, 0), event(TSL_EV_WRITE, 1, 16, 0)};
    tsl_trace trace = {.head = head, .events = events, .nevents = 2};
    head->output_bytes = 3;
    memcpy(head->output, "abcd", 4);
    uint64_t first = tsl_trace_hash(&trace);
    head->seq = 9; // the number of the run must not count
    head->output[3] = 'x';
    assert_true(tsl_trace_hash(&trace) == first);
    head->output[2] = 'x';
    assert_true(tsl_trace_hash(&trace) != first);
    head->output[2] = 'c';
    head->outcome = TSL_OUT_OK;
    assert_true(tsl_trace_hash(&trace) != first);
    head->outcome = 0;
    head->exit_status = 1;
    assert_true(tsl_trace_hash(&trace) != first);
    head->exit_status = 0;
    assert_true(tsl_trace_hash(&trace) == first);
    events[1].thread = 0;
    assert_true(tsl_trace_hash(&trace) != first);
    head->output_bytes = UINT32_MAX; // a lie must not be followed
    trace.nevents = 0;
    trace.events = NULL;
    tsl_trace_hash(&trace);
    tsl_free(head);
}

static void event_lines(void **state) {
    (void)state;
    tsl_event events[] = {
        event(TSL_EV_WRITE, 1, 0x100, 0), event(TSL_EV_WRITE, 1, 0x200, 0),
        event(TSL_EV_LENGTH, 1, 100, 0),  event(TSL_EV_CAS, 2, 0x300, 1),
        event(TSL_EV_CHOICE, 2, 3, 1),    event(TSL_EV_YIELD, 0, 0, 0),
        event(TSL_EV_FREE, 0, 0x400, 0),
    };
    events[1].arg = TSL_ARG_RANGE;
    events[3].arg = 3u | 5u << 4;
    tsl_trace trace = {.events = events, .nevents = sizeof events / sizeof *events};
    tsl_buf out = {0};
    tsl_print_trace(&trace, &out);
    assert_string_equal(tsl_buf_text(&out), "     0  T1 write 0x100 4 site 1\n"
                                            "     1  T1 write 0x200 100 site 1\n"
                                            "     2  T1 length 100\n"
                                            "     3  T2 cas 0x300 8 seq_cst site 1 -> 1\n"
                                            "     4  T2 choice 1 of 3\n"
                                            "     5  T0 yield site 1\n"
                                            "     6  T0 free 0x400 0 site 1\n");
    tsl_buf_drop(&out);
}

// ---------------------------------------------------------------- replay files

#define HEAD "teasel-replay 1\nprogram ./p\n"

static const char full[] = "teasel-replay 1\n"
                           "program ./odd%0Aname%20\n"
                           "arg FOO BAR\n"
                           "arg \n"
                           "arg 100%25\n"
                           "build 0123abcd\n"
                           "kind deadlock\n"
                           "message T1 and T2 wait for each other\n"
                           "file prog.c\n"
                           "line 14\n"
                           "seed 18446744073709551615\n"
                           "policy random\n"
                           "steps 1000\n"
                           "flags spurious exit-status\n"
                           "outside stdin 65536\n"
                           "outside arg 3 2\n"
                           "outside file 8 a b%20\n"
                           "outside env 1 HOME\n"
                           "first-values 00ff\n"
                           "schedule 0*3 1*4 c2 0 8191*4294967295\n"
                           "trace 00ffee0012345678\n"
                           "end\n";

static void replay_round_trip(void **state) {
    (void)state;
    tsl_replay r;
    tsl_err err = {0};
    tsl_buf out = {0};
    tsl_replay_init(&r);
    assert_true(tsl_replay_parse("x", full, sizeof full - 1, &r, &err));
    assert_string_equal(r.program, "./odd\nname ");
    assert_int_equal(r.args.len, 3);
    assert_string_equal(r.args.data[0], "FOO BAR");
    assert_string_equal(r.args.data[1], "");
    assert_string_equal(r.args.data[2], "100%");
    assert_true(r.line == 14 && r.plan.seed == UINT64_MAX && r.plan.max_steps == 1000);
    assert_int_equal(r.plan.flags, TSL_PLAN_SPURIOUS | TSL_PLAN_EXIT_STATUS);
    assert_int_equal(r.plan.policy, TSL_POLICY_RANDOM);
    assert_items(&r.plan, "0*3 1*4 c2 0 8191*4294967295");
    assert_true(r.has_trace && r.trace_hash == 0xffee0012345678u);
    assert_true(r.outside.inputs.len == 4 && r.outside.first.len == 2);
    assert_string_equal(r.outside.inputs.data[2].name, "a b ");
    tsl_replay_format(&r, &out);
    assert_string_equal(tsl_buf_text(&out), full);
    tsl_buf_drop(&out);
    tsl_replay_drop(&r);
    tsl_replay_drop(&r); // twice does no harm
}

static void replay_is_forgiving_where_it_may(void **state) {
    (void)state;
    static const char text[] = "teasel-replay   1 \r\n"
                               "\n# a note\r\n"
                               "  schedule 0 0 0*2\t1\r\n"
                               "program\t./p x  \r\n"
                               "flags\n"
                               "schedule 1 c0 1\n"
                               "end";
    tsl_replay r;
    tsl_err err = {0};
    tsl_replay_init(&r);
    if (!tsl_replay_parse("x", text, sizeof text - 1, &r, &err))
        fail_msg("%s", err.text);
    assert_string_equal(r.program, "./p x");
    assert_items(&r.plan, "0*4 1*2 c0 1");
    assert_false(r.has_trace);
    tsl_replay_drop(&r);
}

static void replay_refuses(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"", "x:0:", "empty", TSL_EINPUT},
        {"hello\n", "x:1:", "not a replay file", TSL_EINPUT},
        {"\x7f"
         "ELF\n",
         "x:1:", "not a replay file", TSL_EINPUT},
        {"teasel-replay 2\nend\n", "x:1:", "version '2'", TSL_EVERSION},
        {"teasel-replay\nend\n", "x:1:", "version ''", TSL_EVERSION},
        {HEAD, "x:2:", "cut off", TSL_EINPUT},
        {HEAD "schedule 0*3 1", "x:3:", "cut off", TSL_EINPUT},
        {"teasel-replay 1\nend\n", "x:2:", "program PATH", TSL_EINPUT},
        {HEAD "program q\nend\n", "x:3:", "second 'program'", TSL_EINPUT},
        {HEAD "end\nseed 1\n", "x:4:", "behind 'end'", TSL_EINPUT},
        {HEAD "end now\n", "x:3:", "behind 'end'", TSL_EINPUT},
        {HEAD "colour blue\nend\n", "x:3:", "unknown word 'colour'", TSL_EINPUT},
        {HEAD "seed -1\nend\n", "x:3:", "negative", TSL_EINPUT},
        {HEAD "seed 1 2\nend\n", "x:3:", "not a number", TSL_EINPUT},
        {HEAD "seed\nend\n", "x:3:", "not a number", TSL_EINPUT},
        {HEAD "seed 18446744073709551616\nend\n", "x:3:", "too large", TSL_EINPUT},
        {HEAD "steps 0\nend\n", "x:3:", "too small", TSL_EINPUT},
        {HEAD "policy best\nend\n", "x:3:", "stay, random or fair", TSL_EINPUT},
        {HEAD "flags leaks lakes\nend\n", "x:3:", "'lakes'", TSL_EINPUT},
        {HEAD "schedule 0\nschedule 1 8192\nend\n", "x:4:", "from 0 to 8191", TSL_EINPUT},
        {HEAD "schedule 0*4294967296\nend\n", "x:3:", "too large", TSL_EINPUT},
        {HEAD "schedule 0*0\nend\n", "x:3:", "too small", TSL_EINPUT},
        {HEAD "schedule 0*\nend\n", "x:3:", "not a number", TSL_EINPUT},
        {HEAD "schedule *3\nend\n", "x:3:", "not a number", TSL_EINPUT},
        {HEAD "schedule 0*1*1\nend\n", "x:3:", "not a number", TSL_EINPUT},
        {HEAD "schedule c\nend\n", "x:3:", "choice", TSL_EINPUT},
        {HEAD "schedule c65536\nend\n", "x:3:", "too large", TSL_EINPUT},
        {HEAD "schedule x\nend\n", "x:3:", "thread 'x'", TSL_EINPUT},
        {HEAD "trace xyz\nend\n", "x:3:", "16 hex digits", TSL_EINPUT},
        {HEAD "trace 11112222333344445\nend\n", "x:3:", "16 hex digits", TSL_EINPUT},
        {HEAD "build 123\nend\n", "x:3:", "pairs of hex digits", TSL_EINPUT},
        {HEAD "arg %\nend\n", "x:3:", "%25", TSL_EINPUT},
        {HEAD "arg %4\nend\n", "x:3:", "%25", TSL_EINPUT},
        {HEAD "arg %g0\nend\n", "x:3:", "%25", TSL_EINPUT},
        {HEAD "arg %00\nend\n", "x:3:", "%25", TSL_EINPUT},
        {HEAD "arg a\x01\nend\n", "x:3:", "%01", TSL_EINPUT},
        {HEAD "message \x1b[2J\nend\n", "x:3:", "%1B", TSL_EINPUT},
        {"teasel-replay 1\nprogram\nend\n", "x:2:", "no value", TSL_EINPUT},
        {HEAD "outside\nend\n", "x:3:", "stdin, file, arg or env", TSL_EINPUT},
        {HEAD "outside stdin\nend\n", "x:3:", "size", TSL_EINPUT},
        {HEAD "outside stdin 0\nend\n", "x:3:", "too small", TSL_EINPUT},
        {HEAD "outside stdin 65537\nend\n", "x:3:", "too large", TSL_EINPUT},
        {HEAD "outside stdin 1\noutside stdin 1\nend\n", "x:4:", "already", TSL_EINPUT},
        {HEAD "outside file 1\nend\n", "x:3:", "no value", TSL_EINPUT},
        {HEAD "outside arg 1 1\nend\n", "x:3:", "argument", TSL_EINPUT},
        {HEAD "first-values 0\nend\n", "x:3:", "pairs of hex digits", TSL_EINPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsl_replay r;
        tsl_err err = {0};
        tsl_replay_init(&r);
        assert_false(tsl_replay_parse("x", cases[i].text, strlen(cases[i].text), &r, &err));
        assert_refused(&cases[i], &err);
        assert_true(!r.program && r.plan.items.len == 0);
        tsl_replay_drop(&r);
    }
}

static void replay_refuses_zero_bytes_and_giants(void **state) {
    (void)state;
    static const char text[] = HEAD "arg a\0b\nend\n";
    tsl_replay r;
    tsl_err err = {0};
    tsl_replay_init(&r);
    assert_false(tsl_replay_parse("x", text, sizeof text - 1, &r, &err));
    assert_non_null(strstr(err.text, "zero byte"));
    tsl_err_clear(&err);
    assert_false(tsl_replay_parse("x", text, TSL_REPLAY_MAX + 1, &r, &err));
    assert_int_equal(err.code, TSL_ELIMIT);
    tsl_replay_drop(&r);
}

// Every prefix of a good file is refused, but for that without the last newline.
static void replay_truncated_anywhere(void **state) {
    (void)state;
    for (size_t len = 0; len < sizeof full - 1; len++) {
        tsl_replay r;
        tsl_err err = {0};
        tsl_replay_init(&r);
        char *copy = tsl_alloc(len ? len : 1); // exact, so that ASan sees a read behind it
        memcpy(copy, full, len);
        assert_int_equal(tsl_replay_parse("x", copy, len, &r, &err), len == sizeof full - 2);
        tsl_free(copy);
        tsl_replay_drop(&r);
    }
}

static char *random_text(tsl_rng *rng) {
    size_t len = tsl_rng_below(rng, 12);
    char *s = tsl_alloc(len + 1);
    for (size_t i = 0; i < len; i++)
        s[i] = (char)(1 + tsl_rng_below(rng, 255));
    return s;
}

static void random_replay(tsl_rng *rng, tsl_replay *r) {
    r->program = tsl_asprintf("p%lu", (unsigned long)tsl_rng_next(rng));
    for (uint64_t i = tsl_rng_below(rng, 4); i > 0; i--)
        tsl_vec_push(&r->args, random_text(rng));
    if (tsl_rng_below(rng, 2))
        r->message = random_text(rng);
    r->plan.seed = tsl_rng_next(rng);
    r->plan.policy = (uint32_t)tsl_rng_below(rng, TSL_POLICY_COUNT);
    r->plan.flags = (uint32_t)tsl_rng_below(rng, 16);
    for (uint64_t i = tsl_rng_below(rng, 200); i > 0; i--) {
        if (tsl_rng_below(rng, 5) == 0)
            tsl_plan_choice(&r->plan, (uint16_t)tsl_rng_next(rng));
        else
            tsl_plan_step(&r->plan, (uint16_t)tsl_rng_below(rng, 3));
    }
    r->has_trace = tsl_rng_below(rng, 2);
    r->trace_hash = r->has_trace ? tsl_rng_next(rng) : 0;
}

static void replay_random_round_trips(void **state) {
    (void)state;
    tsl_rng rng;
    tsl_rng_init(&rng, 3);
    for (int round = 0; round < 2000; round++) {
        tsl_replay a, b;
        tsl_err err = {0};
        tsl_buf first = {0}, second = {0};
        tsl_replay_init(&a);
        tsl_replay_init(&b);
        random_replay(&rng, &a);
        tsl_replay_format(&a, &first);
        if (!tsl_replay_parse("x", first.data, first.len, &b, &err))
            fail_msg("%s\n%s", err.text, first.data);
        tsl_replay_format(&b, &second);
        assert_string_equal(first.data, second.data);
        assert_int_equal(a.args.len, b.args.len);
        for (size_t i = 0; i < a.args.len; i++)
            assert_string_equal(a.args.data[i], b.args.data[i]);
        assert_int_equal(a.plan.items.len, b.plan.items.len);
        if (a.plan.items.len)
            assert_memory_equal(a.plan.items.data, b.plan.items.data,
                                a.plan.items.len * sizeof *a.plan.items.data);
        tsl_buf_drop(&first);
        tsl_buf_drop(&second);
        tsl_replay_drop(&a);
        tsl_replay_drop(&b);
    }
}

static void replay_through_a_file(void **state) {
    (void)state;
    char path[] = "/tmp/teasel-replay-XXXXXX";
    close(mkstemp(path));
    tsl_replay a, b;
    tsl_err err = {0};
    tsl_replay_init(&a);
    tsl_replay_init(&b);
    assert_true(tsl_replay_parse("x", full, sizeof full - 1, &a, &err));
    assert_true(tsl_replay_write(path, &a, &err));
    assert_true(tsl_replay_read(path, &b, &err));
    assert_string_equal(b.message, a.message);
    unlink(path);
    assert_false(tsl_replay_read(path, &b, &err));
    assert_null(b.program);
    tsl_replay_drop(&a);
    tsl_replay_drop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_run_lengths),
        cmocka_unit_test(tables_are_whole),
        cmocka_unit_test(trace_to_plan),
        cmocka_unit_test(hash_sees_what_it_must),
        cmocka_unit_test(event_lines),
        cmocka_unit_test(replay_round_trip),
        cmocka_unit_test(replay_is_forgiving_where_it_may),
        cmocka_unit_test(replay_refuses),
        cmocka_unit_test(replay_refuses_zero_bytes_and_giants),
        cmocka_unit_test(replay_truncated_anywhere),
        cmocka_unit_test(replay_random_round_trips),
        cmocka_unit_test(replay_through_a_file),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
