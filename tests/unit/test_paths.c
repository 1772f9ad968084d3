// src/trace/paths: what is kept of a run, and which text does it become?
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "trace/paths.h"

// ---------------------------------------------------------------- files

#define HEAD "teasel-paths 1\nprogram ./p\n"
#define PATH HEAD "path ok 0\n"

static const char full[] = "teasel-paths 1\n"
                           "program ./odd%0Aname%20\n"
                           "arg FOO BAR\n"
                           "arg \n"
                           "stdin in.txt\n"
                           "left-out 3\n"
                           "path ok 7\n"
                           "input 0 0 signed 4 2a000000ffffffff x[2]\n"
                           "input 8191 4294967295 text 1 00ff22 %20a%25 \"b\"%0A\n"
                           "choice 0 1 3\n"
                           "choice 4 0 65520\n"
                           "path ok 0\n"
                           "path assertion 0 threads\n"
                           "message x != 42 at p.c:7\n"
                           "input 0 0 bytes 1 00 \n"
                           "path step-limit 0\n"
                           "end\n";

static void round_trip(void **state) {
    (void)state;
    tsl_paths p = {0};
    tsl_err err = {0};
    tsl_buf out = {0};
    if (!tsl_paths_parse("x", full, sizeof full - 1, &p, &err))
        fail_msg("%s", err.text);
    assert_string_equal(p.program, "./odd\nname ");
    assert_int_equal(p.args.len, 2);
    assert_string_equal(p.args.data[1], "");
    assert_string_equal(p.stdin_path, "in.txt");
    assert_true(p.left_out == 3 && p.list.len == 4);
    const tsl_path *path = &p.list.data[0];
    assert_true(path->outcome == TSL_OUT_OK && path->exit_status == 7 && !path->has_threads);
    assert_true(path->inputs.len == 2 && path->choices.len == 2);
    assert_true(path->inputs.data[0].size == 8 && path->inputs.data[0].element == 4);
    assert_int_equal(path->inputs.data[0].kind, TSL_INPUT_SIGNED);
    assert_string_equal(path->inputs.data[0].name, "x[2]");
    assert_string_equal(path->inputs.data[1].name, " a% \"b\"\n");
    assert_memory_equal(path->inputs.data[1].bytes, "\0\xff\"", 3);
    assert_true(path->choices.data[0].taken == 1 && path->choices.data[0].of == 3);
    tsl_shown_input shown = tsl_path_input_shown(&path->inputs.data[1]);
    assert_true(shown.thread == 8191 && shown.index == UINT32_MAX && shown.size == 3);
    assert_string_equal(shown.name, " a% \"b\"\n");
    path = &p.list.data[2];
    assert_true(path->outcome == TSL_OUT_ASSERTION && path->has_threads);
    assert_string_equal(path->message, "x != 42 at p.c:7");
    assert_string_equal(path->inputs.data[0].name, "");
    tsl_paths_format(&p, &out);
    assert_string_equal(tsl_buf_text(&out), full);
    tsl_buf_drop(&out);
    tsl_paths_drop(&p);
    tsl_paths_drop(&p); // twice does no harm
}

static void refuses(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"", "x:0:", "empty", TSL_EINPUT},
        {"hello\n", "x:1:", "not a paths file", TSL_EINPUT},
        {"teasel-replay 1\n", "x:1:", "'teasel-paths 1'", TSL_EINPUT},
        {"teasel-paths 2\nend\n", "x:1:", "version '2'", TSL_EVERSION},
        {HEAD, "x:2:", "cut off", TSL_EINPUT},
        {PATH "input 0 0 signed 4 2a000000 x\n", "x:4:", "cut off", TSL_EINPUT},
        {"teasel-paths 1\nend\n", "x:2:", "program PATH", TSL_EINPUT},
        {"teasel-paths 1\nprogram\nend\n", "x:2:", "no value", TSL_EINPUT},
        {HEAD "program q\nend\n", "x:3:", "second 'program'", TSL_EINPUT},
        {HEAD "stdin a\nstdin b\nend\n", "x:4:", "second 'stdin'", TSL_EINPUT},
        {HEAD "left-out 0\nleft-out 0\nend\n", "x:4:", "second 'left-out'", TSL_EINPUT},
        {PATH "message a\nmessage b\nend\n", "x:5:", "second 'message'", TSL_EINPUT},
        {PATH "end\npath ok 0\n", "x:5:", "behind 'end'", TSL_EINPUT},
        {PATH "end now\n", "x:4:", "behind 'end'", TSL_EINPUT},
        {HEAD "colour blue\nend\n", "x:3:", "unknown word 'colour'", TSL_EINPUT},
        {HEAD "input 0 0 signed 1 00 x\nend\n", "x:3:", "before the first path", TSL_EINPUT},
        {HEAD "choice 0 0 2\nend\n", "x:3:", "before the first path", TSL_EINPUT},
        {HEAD "message m\nend\n", "x:3:", "before the first path", TSL_EINPUT},
        {HEAD "path\nend\n", "x:3:", "unknown outcome ''", TSL_EINPUT},
        {HEAD "path fine 0\nend\n", "x:3:", "unknown outcome 'fine'", TSL_EINPUT},
        {HEAD "path rejected 0\nend\n", "x:3:", "unknown outcome", TSL_EINPUT},
        {HEAD "path ok\nend\n", "x:3:", "not a number", TSL_EINPUT},
        {HEAD "path ok 256\nend\n", "x:3:", "too large", TSL_EINPUT},
        {HEAD "path ok -1\nend\n", "x:3:", "negative", TSL_EINPUT},
        {HEAD "path ok 0 fibers\nend\n", "x:3:", "write threads", TSL_EINPUT},
        {PATH "input 8192 0 signed 1 00 x\nend\n", "x:4:", "from 0 to 8191", TSL_EINPUT},
        {PATH "input 0 4294967296 signed 1 00 x\nend\n", "x:4:", "too large", TSL_EINPUT},
        {PATH "input 0 0 float 1 00 x\nend\n", "x:4:", "unknown kind", TSL_EINPUT},
        {PATH "input 0 0 signed 0 00 x\nend\n", "x:4:", "too small", TSL_EINPUT},
        {PATH "input 0 0 signed 9 00 x\nend\n", "x:4:", "too large", TSL_EINPUT},
        {PATH "input 0 0 signed 4 000000 x\nend\n", "x:4:", "elements of 4", TSL_EINPUT},
        {PATH "input 0 0 signed 1 0 x\nend\n", "x:4:", "pairs of hex digits", TSL_EINPUT},
        {PATH "input 0 0 signed 1 0g x\nend\n", "x:4:", "pairs of hex digits", TSL_EINPUT},
        {PATH "input 0 0 signed 1\nend\n", "x:4:", "pairs of hex digits", TSL_EINPUT},
        {PATH "input 0 0 signed 1 00 %0\nend\n", "x:4:", "%25", TSL_EINPUT},
        {PATH "input 0 0 signed 1 00 a\x1b[2J\nend\n", "x:4:", "%1B", TSL_EINPUT},
        {PATH "input 0 0 signed 1 00 x\ninput 0 0 signed 1 00 y\nend\n",
         "x:6:", "two values for input 0 of thread 0", TSL_EINPUT},
        {PATH "input 3 9 bool 1 00 x\ninput 3 9 bool 1 00 y\npath ok 0\nend\n",
         "x:6:", "two values for input 9 of thread 3", TSL_EINPUT},
        {PATH "choice 0 3 3\nend\n", "x:4:", "too small", TSL_EINPUT},
        {PATH "choice 0 0\nend\n", "x:4:", "not a number", TSL_EINPUT},
        {PATH "choice 0 0 65521\nend\n", "x:4:", "too large", TSL_EINPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsl_paths p = {0};
        tsl_err err = {0};
        assert_false(tsl_paths_parse("x", cases[i].text, strlen(cases[i].text), &p, &err));
        assert_refused(&cases[i], &err);
        assert_true(!p.program && !p.list.len);
    }
}

// Every prefix of a good file is refused, but for that without the last newline.
static void truncated_anywhere(void **state) {
    (void)state;
    for (size_t len = 0; len < sizeof full - 1; len++) {
        tsl_paths p = {0};
        tsl_err err = {0};
        char *copy = tsl_alloc(len ? len : 1); // exact, so that ASan sees a read behind it
        memcpy(copy, full, len);
        assert_int_equal(tsl_paths_parse("x", copy, len, &p, &err), len == sizeof full - 2);
        tsl_free(copy);
        tsl_paths_drop(&p);
    }
}

static void zero_bytes_and_giants(void **state) {
    (void)state;
    static const char text[] = PATH "input 0 0 signed 1 00 a\0b\nend\n";
    tsl_paths p = {0};
    tsl_err err = {0};
    assert_false(tsl_paths_parse("x", text, sizeof text - 1, &p, &err));
    assert_non_null(strstr(err.text, "zero byte"));
    tsl_err_clear(&err);
    assert_false(tsl_paths_parse("x", text, TSL_PATHS_MAX + 1, &p, &err));
    assert_int_equal(err.code, TSL_ELIMIT);
}

static void through_a_file(void **state) {
    (void)state;
    char path[] = "/tmp/teasel-paths-XXXXXX";
    close(mkstemp(path));
    tsl_paths a = {0}, b = {0};
    tsl_err err = {0};
    assert_true(tsl_paths_parse("x", full, sizeof full - 1, &a, &err));
    assert_true(tsl_paths_write(path, &a, &err));
    assert_true(tsl_paths_read(path, &b, &err));
    assert_int_equal(b.list.len, a.list.len);
    unlink(path);
    assert_false(tsl_paths_read(path, &b, &err));
    assert_null(b.program);
    tsl_paths_drop(&a);
    tsl_paths_drop(&b);
}

// ---------------------------------------------------------------- runs

// A Trace with inputs of one element each.
typedef struct run {
    tsl_trace_head *head;
    TSL_VEC(tsl_expr) nodes;
    TSL_VEC(tsl_event) events;
} run;

static void run_begin(run *r) {
    *r = (run){.head = tsl_alloc(sizeof *r->head)};
    r->head->outcome = TSL_OUT_OK;
    r->head->flags = TSL_TRACE_NO_THREADS;
    tsl_vec_push(&r->nodes, (tsl_expr){0});
}

static tsl_trace run_trace(const run *r) {
    return (tsl_trace){.head = r->head,
                       .events = r->events.data,
                       .nevents = r->events.len,
                       .nodes = r->nodes.data,
                       .nnodes = (uint32_t)r->nodes.len};
}

static void run_end(run *r) {
    tsl_free(r->head);
    tsl_vec_drop(&r->nodes);
    tsl_vec_drop(&r->events);
}

// Adds an input of `size` bytes in elements of `element` bytes, all with this value.
static void run_input(run *r, uint16_t thread, uint32_t index, uint8_t kind, uint32_t size,
                      uint32_t element, const char *name, uint64_t value) {
    uint32_t object = (uint32_t)r->nodes.len, raw = (uint32_t)(strlen(name) / sizeof(tsl_expr) + 1);
    tsl_expr_object o = {.op = TSL_EXPR_OBJECT,
                         .kind = kind,
                         .thread = thread,
                         .index = index,
                         .size = size,
                         .raw = raw,
                         .element = element};
    tsl_expr node;
    memcpy(&node, &o, sizeof node);
    tsl_vec_push(&r->nodes, node);
    for (uint32_t i = 0; i < raw; i++)
        tsl_vec_push(&r->nodes, (tsl_expr){0});
    memcpy(&r->nodes.data[object + 1], name, strlen(name));
    for (uint32_t at = 0; element && at + element <= size; at += element)
        tsl_vec_push(&r->nodes, (tsl_expr){.op = TSL_EXPR_INPUT,
                                           .width = (uint8_t)(8 * element),
                                           .a = object,
                                           .b = at,
                                           .lo = value});
}

static void run_event(run *r, unsigned kind, uint16_t thread, uint64_t addr, uint16_t res) {
    tsl_vec_push(&r->events, (tsl_event){.addr = addr & 0xffffffffffffu,
                                         .kind = kind & 0xffu,
                                         .thread = thread,
                                         .res = res});
}

static void keeps_what_a_run_was_given(void **state) {
    (void)state;
    run r;
    tsl_paths p = {.program = tsl_strdup("./p")};
    tsl_buf out = {0};
    run_begin(&r);
    run_input(&r, 0, 0, TSL_INPUT_SIGNED, 4, 4, "x", 0xfffffffe);
    run_input(&r, 2, 0, TSL_INPUT_TEXT, 3, 1, "a name of more than thirty-two bytes", 'a');
    run_event(&r, TSL_EV_CHOOSE, 0, 0, 0);
    run_event(&r, TSL_EV_CHOICE, 0, 3, 2);
    run_event(&r, TSL_EV_SIGNAL, 0, 64, 0);
    run_event(&r, TSL_EV_CHOICE, 0, 2, 1); // which waiter a signal wakes belongs to the schedule
    r.head->exit_status = 259;
    r.head->flags = 0;
    tsl_trace trace = run_trace(&r);
    tsl_paths_keep(&p, 1, &trace, "", 0);
    r.head->outcome = TSL_OUT_ABORT;
    r.head->exit_status = 0;
    r.head->flags = TSL_TRACE_NO_THREADS;
    strcpy(r.head->message, "abort() was called");
    trace = run_trace(&r);
    trace.nnodes = 1;
    trace.nevents = 0;
    tsl_paths_keep(&p, 2, &trace, "p.c", 7);
    assert_true(p.left_out == 0);
    tsl_paths_format(&p, &out);
    assert_string_equal(tsl_buf_text(&out),
                        "teasel-paths 1\n"
                        "program ./p\n"
                        "path ok 3 threads\n"
                        "input 0 0 signed 4 feffffff x\n"
                        "input 2 0 text 1 616161 a name of more than thirty-two bytes\n"
                        "choice 0 2 3\n"
                        "path assertion 0\n"
                        "message abort() was called at p.c:7\n"
                        "end\n");
    tsl_paths_clear(&p);
    assert_true(!p.list.len && p.program && !p.room);
    tsl_buf_drop(&out);
    run_end(&r);
    tsl_paths_drop(&p);
}

// The same path under several schedules.
static void keeps_the_first_that_fails(void **state) {
    (void)state;
    static const uint32_t outcomes[] = {TSL_OUT_OK, TSL_OUT_OK, TSL_OUT_ASSERTION, TSL_OUT_SIGNAL,
                                        TSL_OUT_OK};
    tsl_paths p = {0};
    for (uint32_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
        run r;
        run_begin(&r);
        run_input(&r, 0, 0, TSL_INPUT_UNSIGNED, 1, 1, "x", i);
        r.head->outcome = outcomes[i];
        strcpy(r.head->message, "m");
        tsl_trace trace = run_trace(&r);
        tsl_paths_keep(&p, 5, &trace, "", 0);
        tsl_paths_keep(&p, 6 + (i & 1), &trace, "p.c", 1);
        run_end(&r);
    }
    assert_true(p.list.len == 3 && p.left_out == 0);
    assert_true(p.list.data[0].outcome == TSL_OUT_ASSERTION);
    assert_true(p.list.data[0].inputs.data[0].bytes[0] == 2);
    assert_string_equal(p.list.data[0].message, "m");
    assert_true(p.list.data[1].outcome == TSL_OUT_ASSERTION && p.list.data[1].id == 6);
    assert_string_equal(p.list.data[1].message, "m at p.c:1");
    assert_true(p.list.data[2].outcome == TSL_OUT_SIGNAL && p.list.data[2].id == 7);
    tsl_paths_drop(&p);
}

// The program under test can write anything: what is kept can always be written and read.
static void makes_sense_of_nonsense(void **state) {
    (void)state;
    run r;
    tsl_rng rng;
    tsl_paths p = {.program = tsl_strdup("./p")}, again = {0};
    tsl_err err = {0};
    tsl_buf out = {0};
    tsl_rng_init(&rng, 7);
    for (int round = 0; round < 2000; round++) {
        run_begin(&r);
        for (uint64_t i = tsl_rng_below(&rng, 4); i > 0; i--)
            run_input(&r, (uint16_t)tsl_rng_below(&rng, 3), (uint32_t)tsl_rng_below(&rng, 3),
                      (uint8_t)tsl_rng_below(&rng, 9), (uint32_t)tsl_rng_below(&rng, 20),
                      (uint32_t)tsl_rng_below(&rng, 10), "n", tsl_rng_next(&rng));
        run_event(&r, TSL_EV_CHOOSE, 0, 0, 0);
        run_event(&r, TSL_EV_CHOICE, (uint16_t)tsl_rng_below(&rng, 10000), tsl_rng_below(&rng, 5),
                  (uint16_t)tsl_rng_below(&rng, 5));
        if (tsl_rng_below(&rng, 2)) {
            size_t at = tsl_rng_below(&rng, r.nodes.len);
            ((uint8_t *)&r.nodes.data[at])[tsl_rng_below(&rng, sizeof(tsl_expr))] =
                (uint8_t)tsl_rng_next(&rng);
        }
        r.head->outcome = (uint32_t)tsl_rng_below(&rng, TSL_OUT_COUNT + 3);
        memset(r.head->message, 'm', sizeof r.head->message); // not ended
        r.head->message[0] = (char)tsl_rng_next(&rng);
        tsl_trace trace = run_trace(&r);
        tsl_paths_keep(&p, (uint64_t)round, &trace, "", 0);
        run_end(&r);
    }
    assert_true(p.list.len > 100 && p.left_out > 100);
    tsl_paths_format(&p, &out);
    if (!tsl_paths_parse("x", out.data, out.len, &again, &err))
        fail_msg("%s", err.text);
    assert_int_equal(again.list.len, p.list.len);
    assert_true(out.len <= p.room + 200);
    tsl_buf_drop(&out);
    tsl_paths_drop(&p);
    tsl_paths_drop(&again);
}

static void keeps_no_more_than_fits(void **state) {
    (void)state;
    run r;
    tsl_paths p = {.program = tsl_strdup("./p")};
    tsl_buf out = {0};
    run_begin(&r);
    for (uint32_t i = 0; i < 64; i++)
        run_input(&r, 0, i, TSL_INPUT_UNSIGNED, TSL_MAX_INPUT, 8, "big", i);
    tsl_trace trace = run_trace(&r);
    for (uint64_t i = 0; i < 12; i++)
        tsl_paths_keep(&p, i, &trace, "", 0);
    trace.nnodes = 1;
    // A small path that comes later is not kept either: only the first paths are.
    tsl_paths_keep(&p, 99, &trace, "", 0);
    assert_true(p.full && p.list.len >= 4 && p.list.len + p.left_out == 13);
    tsl_paths_format(&p, &out);
    assert_true(out.len < TSL_PATHS_MAX);
    tsl_buf_drop(&out);
    run_end(&r);
    tsl_paths_drop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(refuses),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(zero_bytes_and_giants),
        cmocka_unit_test(through_a_file),
        cmocka_unit_test(keeps_what_a_run_was_given),
        cmocka_unit_test(keeps_the_first_that_fails),
        cmocka_unit_test(makes_sense_of_nonsense),
        cmocka_unit_test(keeps_no_more_than_fits),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
