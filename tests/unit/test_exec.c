// src/exec with src/rt: where does a Plan stop, which threads does its sleep set keep from running,
// and what does a Trace say about pending steps?
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "exec/exec.h"

static char folder[] = "/tmp/teasel-exec-XXXXXX";
static char *program;

static int compile(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    program = tsl_asprintf("%s/subject", folder);
    char *command = tsl_asprintf("'%s/bin/teasel-cc' -g -pthread '%s/tests/e2e/plans/subject.c' "
                                 "-o '%s'",
                                 TEASEL_ROOT, TEASEL_ROOT, program);
    int status = system(command);
    tsl_free(command);
    return status;
}

static int clean(void **state) {
    (void)state;
    unlink(program);
    tsl_free(program);
    return rmdir(folder);
}

typedef struct subject {
    tsl_exec *exec;
    tsl_plan plan;
    tsl_trace trace;
} subject;

static subject start(const char *what) {
    subject s = {0};
    tsl_err err = {0};
    const char *args[] = {what, NULL};
    tsl_exec_options options = {
        .program = program, .args = args, .max_steps = 10000, .run_seconds = 10};
    s.exec = tsl_exec_new(&options, &err);
    if (!s.exec)
        fail_msg("%s", err.text);
    tsl_plan_init(&s.plan);
    s.plan.max_steps = 10000;
    return s;
}

static void finish(subject *s) {
    tsl_plan_drop(&s->plan);
    tsl_exec_free(s->exec);
}

static unsigned run(subject *s) {
    tsl_err err = {0};
    if (!tsl_exec_submit(s->exec, &s->plan, &err) || !tsl_exec_collect(s->exec, &s->trace, &err))
        fail_msg("%s", err.text);
    return s->trace.head->outcome;
}

static const tsl_event *find(const subject *s, unsigned kind, unsigned thread) {
    for (size_t i = 0; i < s->trace.nevents; i++)
        if (s->trace.events[i].kind == kind && s->trace.events[i].thread == thread)
            return &s->trace.events[i];
    return NULL;
}

static tsl_event pending(const subject *s, unsigned thread) {
    const tsl_event *note = find(s, TSL_EV_PENDING, thread);
    assert_non_null(note);
    return *note;
}

// Main creates all threads, then the first `n` threads start.  The Plan ends there.
static void until_all_stand(subject *s, unsigned n) {
    s->plan.flags = TSL_PLAN_STOP;
    do {
        tsl_plan_step(&s->plan, 0);
        assert_int_equal(run(s), TSL_OUT_STOPPED);
    } while (!find(s, TSL_EV_CREATE, 0) || s->trace.head->all_threads <= n);
    for (unsigned i = 1; i <= n; i++)
        tsl_plan_step(&s->plan, (uint16_t)i);
    assert_int_equal(run(s), TSL_OUT_STOPPED);
}

static void main_goes_on_to(subject *s, unsigned kind) {
    while (pending(s, 0).arg != kind) {
        tsl_plan_step(&s->plan, 0);
        assert_int_equal(run(s), TSL_OUT_STOPPED);
    }
}

// The pending step of a thread, in the form of a sleep set.
static tsl_event next_step(const subject *s, unsigned thread) {
    tsl_event note = pending(s, thread);
    return (tsl_event){.addr = note.addr,
                       .kind = note.arg,
                       .arg = (uint8_t)note.res,
                       .site = note.site,
                       .thread = note.thread};
}

static void put_to_sleep(subject *s, tsl_event step) {
    s->plan.flags = 0;
    tsl_vec_push(&s->plan.sleep, step);
}

// ---------------------------------------------------------------- where a Plan stops

static void stops_where_it_ends(void **state) {
    (void)state;
    subject s = start("same");
    s.plan.flags = TSL_PLAN_STOP;
    assert_int_equal(run(&s), TSL_OUT_STOPPED); // before anything
    assert_int_equal(pending(&s, 0).arg, TSL_EV_START);
    until_all_stand(&s, 2);
    assert_int_equal(s.trace.head->nthreads, 3);
    for (unsigned i = 1; i <= 2; i++) {
        assert_int_equal(pending(&s, i).arg, TSL_EV_WRITE);
        assert_int_equal(pending(&s, i).res, 2 | TSL_PENDING_READY);
        assert_true(pending(&s, i).site > 0);
        assert_true(s.trace.head->threads[i].nframes > 0);
        assert_int_equal(s.trace.head->threads[i].state, TSL_THREAD_READY);
    }
    assert_int_equal(pending(&s, 1).addr, pending(&s, 2).addr);
    assert_non_null(find(&s, TSL_EV_PENDING, 0));
    uint64_t steps = 0;
    for (size_t i = 0; i < s.plan.items.len; i++)
        steps += s.plan.items.data[i].count;
    size_t seen = 0;
    for (size_t i = 0; i < s.trace.nevents; i++)
        seen += tsl_event_is_step(s.trace.events[i].kind);
    assert_int_equal(seen, steps);
    finish(&s);
}

static void bug_has_no_pending_step_of_its_own(void **state) {
    (void)state;
    subject s = start("fail");
    until_all_stand(&s, 2);
    s.plan.flags = 0;
    tsl_plan_step(&s.plan, 1);
    assert_int_equal(run(&s), TSL_OUT_ASSERTION);
    assert_null(find(&s, TSL_EV_PENDING, 1));
    assert_int_equal(pending(&s, 2).arg, TSL_EV_WRITE);
    finish(&s);
}

static void run_that_ends_leaves_nothing_pending(void **state) {
    (void)state;
    subject s = start("same");
    assert_int_equal(run(&s), TSL_OUT_OK);
    for (unsigned i = 0; i < 3; i++)
        assert_null(find(&s, TSL_EV_PENDING, i));
    finish(&s);
}

// ---------------------------------------------------------------- sleep sets

static const unsigned policies[] = {TSL_POLICY_STAY, TSL_POLICY_RANDOM, TSL_POLICY_FAIR};

// This holds under every policy, for random policies with many seeds.
static void each_ends(subject *s, unsigned outcome) {
    for (unsigned p = 0; p < 3; p++)
        for (unsigned seed = 0; seed < 30; seed++) {
            s->plan.policy = policies[p];
            s->plan.seed = seed;
            assert_int_equal(run(s), outcome);
        }
}

static void conflict_wakes(void **state) {
    (void)state;
    subject s = start("same");
    until_all_stand(&s, 2);
    put_to_sleep(&s, next_step(&s, 1));
    each_ends(&s, TSL_OUT_OK);
    for (unsigned seed = 0; seed < 30; seed++) {
        s.plan.policy = TSL_POLICY_RANDOM;
        s.plan.seed = seed;
        run(&s);
        assert_true(find(&s, TSL_EV_WRITE, 2) < find(&s, TSL_EV_WRITE, 1));
    }
    finish(&s);
}

static void nothing_wakes(void **state) {
    (void)state;
    subject s = start("other");
    until_all_stand(&s, 2);
    put_to_sleep(&s, next_step(&s, 1));
    each_ends(&s, TSL_OUT_REDUNDANT);
    assert_int_equal(pending(&s, 1).arg, TSL_EV_WRITE);
    assert_non_null(find(&s, TSL_EV_END, 2));
    finish(&s);
}

// The sleep set of a Plan is that before the last step of its prefix.
static void last_step_of_prefix_wakes(void **state) {
    (void)state;
    static const struct {
        const char *what;
        unsigned outcome;
    } cases[] = {{"same", TSL_OUT_OK}, {"other", TSL_OUT_REDUNDANT}};
    for (unsigned i = 0; i < 2; i++) {
        subject s = start(cases[i].what);
        until_all_stand(&s, 2);
        put_to_sleep(&s, next_step(&s, 1));
        tsl_plan_step(&s.plan, 2);
        each_ends(&s, cases[i].outcome);
        tsl_plan_step(&s.plan, 2); // END wakes nobody, and the write lies before it
        each_ends(&s, TSL_OUT_REDUNDANT);
        finish(&s);
    }
}

static void all_asleep(void **state) {
    (void)state;
    subject s = start("same");
    until_all_stand(&s, 2);
    main_goes_on_to(&s, TSL_EV_JOIN);
    uint64_t steps = s.trace.head->steps;
    for (unsigned i = 1; i < 3; i++)
        put_to_sleep(&s, next_step(&s, i));
    each_ends(&s, TSL_OUT_REDUNDANT);
    assert_int_equal(s.trace.head->steps, steps);
    finish(&s);
}

// The further accesses of a step count, too, whether it sleeps or runs.
static void also_wakes(void **state) {
    (void)state;
    subject s = start("other");
    until_all_stand(&s, 2);
    tsl_event step = next_step(&s, 1);
    put_to_sleep(&s, step);
    tsl_event also = {.addr = next_step(&s, 2).addr,
                      .kind = TSL_EV_ALSO,
                      .arg = TSL_ARG_RANGE,
                      .thread = 1,
                      .res = TSL_EV_READ};
    also.addr -= 8;
    put_to_sleep(&s, also);
    put_to_sleep(&s, (tsl_event){.addr = 8, .kind = TSL_EV_LENGTH, .thread = 1});
    each_ends(&s, TSL_OUT_REDUNDANT);
    s.plan.sleep.data[2].addr = 9;
    each_ends(&s, TSL_OUT_OK);
    finish(&s);
}

// Three threads meet at a barrier.  One that sleeps wakes when it would have completed the round.
static void arrivals_count(void **state) {
    (void)state;
    subject s = start("barrier");
    until_all_stand(&s, 3);
    tsl_event arrive = next_step(&s, 1);
    assert_int_equal(arrive.kind, TSL_EV_BARRIER_ARRIVE);
    arrive.res = 2;
    put_to_sleep(&s, arrive);
    each_ends(&s, TSL_OUT_REDUNDANT);
    assert_non_null(find(&s, TSL_EV_BARRIER_ARRIVE, 2));
    assert_non_null(find(&s, TSL_EV_BARRIER_ARRIVE, 3));
    s.plan.sleep.data[0].res = 1; // as if one had arrived before
    each_ends(&s, TSL_OUT_OK);
    finish(&s);
}

static void cancelling_wakes(void **state) {
    (void)state;
    subject s = start("cancel");
    until_all_stand(&s, 2);
    put_to_sleep(&s, next_step(&s, 1));
    each_ends(&s, TSL_OUT_OK);
    const tsl_event *cancel = find(&s, TSL_EV_CANCEL, 2);
    assert_int_equal(cancel->res, 1);
    finish(&s);
}

// The converse: a cancel that sleeps wakes when its target looks for a request.
static void target_wakes_canceller(void **state) {
    (void)state;
    subject s = start("cancel");
    until_all_stand(&s, 2);
    tsl_event cancel = next_step(&s, 2);
    if (cancel.kind != TSL_EV_CANCEL) { // it reads the thread's name first
        tsl_plan_step(&s.plan, 2);
        assert_int_equal(run(&s), TSL_OUT_STOPPED);
        cancel = next_step(&s, 2);
    }
    assert_int_equal(cancel.kind, TSL_EV_CANCEL);
    put_to_sleep(&s, cancel);
    s.plan.sleep.data[0].res = 1;
    each_ends(&s, TSL_OUT_OK);
    finish(&s);
}

static void exit_waits_for_sleepers(void **state) {
    (void)state;
    subject s = start("exit");
    until_all_stand(&s, 1);
    main_goes_on_to(&s, TSL_EV_EXIT);
    put_to_sleep(&s, next_step(&s, 1));
    each_ends(&s, TSL_OUT_REDUNDANT);
    assert_null(find(&s, TSL_EV_EXIT, 0));
    finish(&s);
}

// ---------------------------------------------------------------- what nobody wants

static void forgets_what_is_in_flight(void **state) {
    (void)state;
    subject s = start("slow");
    tsl_err err = {0};
    double begun = tsl_clock_now();
    for (unsigned i = 0; i < 3; i++)
        assert_true(tsl_exec_submit(s.exec, &s.plan, &err));
    assert_true(tsl_exec_forget(s.exec, tsl_clock_now() + 0.2, &err));
    assert_int_equal(tsl_exec_in_flight(s.exec), 0);
    assert_true(tsl_clock_now() - begun < 8); // one of them alone may take ten
    until_all_stand(&s, 1);
    tsl_plan_step(&s.plan, 1);
    s.plan.flags = 0;
    assert_int_equal(run(&s), TSL_OUT_OK);
    finish(&s);
}

static void waits_for_what_comes_soon(void **state) {
    (void)state;
    subject s = start("same");
    tsl_err err = {0};
    for (unsigned i = 0; i < 20; i++)
        assert_true(tsl_exec_submit(s.exec, &s.plan, &err));
    assert_true(tsl_exec_forget(s.exec, tsl_clock_now() + 0.2, &err));
    assert_int_equal(tsl_exec_in_flight(s.exec), 0);
    assert_int_equal(run(&s), TSL_OUT_OK);
    assert_true(tsl_exec_forget(s.exec, tsl_clock_now() + 0.2, &err)); // nothing is in flight
    assert_int_equal(run(&s), TSL_OUT_OK);
    finish(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_where_it_ends),
        cmocka_unit_test(bug_has_no_pending_step_of_its_own),
        cmocka_unit_test(run_that_ends_leaves_nothing_pending),
        cmocka_unit_test(conflict_wakes),
        cmocka_unit_test(nothing_wakes),
        cmocka_unit_test(last_step_of_prefix_wakes),
        cmocka_unit_test(all_asleep),
        cmocka_unit_test(also_wakes),
        cmocka_unit_test(arrivals_count),
        cmocka_unit_test(cancelling_wakes),
        cmocka_unit_test(target_wakes_canceller),
        cmocka_unit_test(exit_waits_for_sleepers),
        cmocka_unit_test(forgets_what_is_in_flight),
        cmocka_unit_test(waits_for_what_comes_soon),
    };
    return cmocka_run_group_tests(tests, compile, clean);
}
