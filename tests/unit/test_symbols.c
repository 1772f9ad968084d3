// src/report: symbols of code and data.
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "report/stack.h"
#include "self.h"

extern int test_counter, test_array[10];
int test_counter = 1, test_array[10];

struct queue {
    pthread_mutex_t lock;
    struct {
        int busy;
        char bytes[6];
    } slot[4];
    union {
        int a;
        char b[8];
    } either;
};
extern struct queue test_queue;
struct queue test_queue;

static void symbols_of_code(void **state) {
    (void)state;
    tsl_mapped mapped = tsl_self();
    tsl_symbols *symbols = tsl_symbols_new(&mapped, 1);
    tsl_frame frames[8];
    int line = 0;
    uint64_t pc = outer_function(&line);
    size_t n = tsl_symbols_pc(symbols, pc, frames, 8);
    assert_int_equal(n, 2);
    assert_string_equal(frames[0].function, "inlined_leaf");
    assert_true(frames[0].inlined && !frames[1].inlined);
    assert_in_range(frames[0].line, leaf_line - 3, leaf_line + 3);
    assert_string_equal(frames[1].function, "outer_function");
    assert_int_equal(frames[1].line, line);
    assert_string_equal(tsl_file_base(frames[1].file), "self.h");
    assert_int_equal(tsl_symbols_pc(symbols, pc, frames, 1), 1);
    assert_string_equal(tsl_symbols_function(symbols, (uint64_t)(uintptr_t)&outer_function),
                        "outer_function");
    tsl_symbols_free(symbols);
}

static void symbols_of_data(void **state) {
    (void)state;
    tsl_mapped mapped = tsl_self();
    tsl_symbols *symbols = tsl_symbols_new(&mapped, 1);
    tsl_buf out = {0};
    assert_true(tsl_symbols_data(symbols, (uint64_t)(uintptr_t)&test_counter, &out));
    assert_string_equal(tsl_buf_text(&out), "`test_counter`");
    tsl_buf_clear(&out);
    assert_true(tsl_symbols_data(symbols, (uint64_t)(uintptr_t)&test_array[3], &out));
    assert_string_equal(tsl_buf_text(&out), "`test_array[3]`");
    const struct {
        const void *at;
        const char *name;
    } parts[] = {
        {&test_queue.lock, "`test_queue.lock`"},
        {(char *)&test_queue.lock + 4, "`test_queue.lock+4`"},
        {&test_queue.slot[2].busy, "`test_queue.slot[2].busy`"},
        {&test_queue.slot[3].bytes[5], "`test_queue.slot[3].bytes[5]`"},
        {&test_queue.slot[3].bytes[6], "`test_queue.slot[3]+10`"}, // padding
        {&test_queue.either.b[5], "`test_queue.either+5`"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        tsl_buf_clear(&out);
        assert_true(tsl_symbols_data(symbols, (uint64_t)(uintptr_t)parts[i].at, &out));
        assert_string_equal(tsl_buf_text(&out), parts[i].name);
    }
    tsl_buf_clear(&out);
    assert_false(tsl_symbols_data(symbols, 16, &out));
    assert_int_equal(out.len, 0);
    tsl_buf_drop(&out);
    tsl_symbols_free(symbols);
}

// The same program at another address, and without debug information.
static void symbols_moved_and_stripped(void **state) {
    (void)state;
    tsl_mapped mapped = tsl_self();
    char path[] = "/tmp/teasel-stripped-XXXXXX";
    close(mkstemp(path));
    char *command = tsl_asprintf("strip -g -o %s '%s' 2>/dev/null", path, mapped.path);
    int rc = system(command);
    tsl_free(command);
    int line = 0;
    uint64_t pc = outer_function(&line), moved = 0x1000000;
    if (rc == 0 && mapped.load) {
        snprintf(mapped.path, sizeof mapped.path, "%s", path);
        mapped.load += moved;
        tsl_symbols *symbols = tsl_symbols_new(&mapped, 1);
        tsl_frame frame;
        assert_int_equal(tsl_symbols_pc(symbols, pc + moved, &frame, 1), 1);
        assert_string_equal(frame.function, "outer_function");
        assert_null(frame.file);
        assert_true(frame.offset > 0 && frame.offset < 200);
        tsl_names names = {.symbols = symbols};
        tsl_buf out = {0};
        tsl_stack_frame(&names, &frame, &out);
        assert_contains(tsl_buf_text(&out), "outer_function+0x");
        tsl_buf_drop(&out);
        tsl_symbols_free(symbols);
    }
    unlink(path);
}

static void symbols_of_nothing(void **state) {
    (void)state;
    tsl_mapped mapped[5] = {
        {.path = "/nonexistent/prog"}, {.path = "[vdso]"}, {.path = ""}, {.path = "/etc/passwd"}};
    memset(mapped[4].path, 'x', sizeof mapped[4].path); // not terminated
    tsl_symbols *symbols = tsl_symbols_new(mapped, 5);
    tsl_frame frame;
    tsl_buf out = {0};
    assert_int_equal(tsl_symbols_pc(symbols, 0, &frame, 1), 1);
    assert_int_equal(tsl_symbols_pc(symbols, UINT64_MAX, &frame, 1), 1);
    assert_null(frame.function);
    assert_false(tsl_symbols_data(symbols, 0x1234, &out));
    tsl_symbols_free(symbols);
    assert_int_equal(tsl_symbols_pc(NULL, 0x1234, &frame, 1), 1);
    assert_false(tsl_symbols_data(NULL, 0x1234, &out));
    assert_null(tsl_symbols_function(NULL, 0x1234));
    tsl_symbols_free(NULL);
}

int main(void) {
    if (!tsl_self_has_debug_information()) {
        fprintf(stderr, "built without -g: skipped\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_of_code),
        cmocka_unit_test(symbols_of_data),
        cmocka_unit_test(symbols_moved_and_stripped),
        cmocka_unit_test(symbols_of_nothing),
    };
    return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
