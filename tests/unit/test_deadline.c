// src/base: the deadline, which is a timer, a signal, and a jump out of the work; and work in a
// process of its own.
#include <signal.h>

#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "base/aside.h"
#include "base/clock.h"
#include "base/deadline.h"

static void work_for_ever(void *self) {
    for (uint64_t *rounds = self;; ++*rounds)
        tsl_deadline_ask();
}

static void add_one(void *self) { ++*(uint64_t *)self; }

static void work_is_done_in_time(void **state) {
    (void)state;
    uint64_t n = 0;
    assert_false(tsl_deadline_passed());
    assert_true(tsl_deadline_left() > 1e9);
    assert_true(tsl_deadline_run(add_one, &n));
    assert_int_equal(n, 1);
    tsl_deadline_ask(); // no work was begun and no time has passed, so nothing happens
}

static void say_something(void *self, int out) {
    if (write(out, self, strlen(self)) < 0)
        _exit(1);
}

static void sleep_long(void *self, int out) {
    (void)self, (void)out;
    sleep(60);
}

static void die(void *self, int out) {
    say_something(self, out);
    _exit(1);
}

static void a_process_of_its_own_answers(void **state) {
    (void)state;
    tsl_buf told = {0};
    char word[] = "answer";
    assert_true(tsl_aside(say_something, word, 30, &told));
    assert_string_equal(tsl_buf_text(&told), "answer");
    tsl_buf_clear(&told);
    assert_false(tsl_aside(die, word, 30, &told));
    tsl_buf_drop(&told);
}

static void a_process_of_its_own_is_killed(void **state) {
    (void)state;
    tsl_buf told = {0};
    double begun = tsl_clock_now();
    assert_false(tsl_aside(sleep_long, NULL, 0.1, &told));
    assert_true(tsl_clock_now() - begun < 20);
    tsl_buf_drop(&told);
}

static void work_is_left_when_the_time_is_up(void **state) {
    (void)state;
    uint64_t rounds = 0;
    tsl_buf told = {0};
    tsl_deadline_begin(0.1);
    assert_true(tsl_deadline_left() <= 0.1);
    assert_false(tsl_deadline_run(work_for_ever, &rounds));
    assert_true(rounds > 0);
    assert_true(tsl_deadline_passed());
    assert_false(tsl_deadline_interrupted());
    assert_false(tsl_aside(sleep_long, NULL, 0, &told)); // the deadline counts there, too
    tsl_buf_drop(&told);
}

static void the_end_gets_more_time(void **state) {
    (void)state;
    uint64_t rounds = 0;
    tsl_deadline_extend(30);
    assert_false(tsl_deadline_passed());
    assert_true(tsl_deadline_left() > 10);
    tsl_deadline_heed_signals();
    raise(SIGTERM);
    assert_true(tsl_deadline_interrupted());
    assert_true(tsl_deadline_left() <= 0);
    assert_false(tsl_deadline_run(work_for_ever, &rounds));
    tsl_deadline_extend(0.05); // counts from now on, because there was a signal
    assert_true(tsl_deadline_left() <= 0.05);
    assert_false(tsl_deadline_run(work_for_ever, &rounds));
}

// The order of the tests matters, because there is only one deadline.
int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_done_in_time),
        cmocka_unit_test(a_process_of_its_own_answers),
        cmocka_unit_test(a_process_of_its_own_is_killed),
        cmocka_unit_test(work_is_left_when_the_time_is_up),
        cmocka_unit_test(the_end_gets_more_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
