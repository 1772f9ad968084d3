// src/report: sites, names, deadlocks, bugs, text, census, JSON.
#include "unit.h"

#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/file.h"
#include "base/mem.h"
#include "report/bug.h"
#include "report/census.h"
#include "report/deadlock.h"
#include "report/divergence.h"
#include "report/exits.h"
#include "report/json.h"
#include "report/source.h"
#include "report/stack.h"
#include "report/text.h"
#include "self.h"

extern int test_counter, test_array[10];
int test_counter = 1, test_array[10];

// ---------------------------------------------------------------- sites

static const char strings[] = "\0prog.c\0worker\0main\0dir/other.c\0evil\x1b[2J\0lost";
#define PROG 1
#define WORKER 8
#define MAIN 15
#define OTHER 20

static const tsl_site site_table[] = {
    {0, 0, 0, 0, 0},
    {PROG, WORKER, 10, 5, TSL_SITE_ACCESS},
    {PROG, WORKER, 14, 5, TSL_SITE_CALL},
    {PROG, MAIN, 21, 9, TSL_SITE_CALL},
    {OTHER, MAIN, 3, 1, TSL_SITE_CALL},
    {PROG, WORKER, 10, 20, TSL_SITE_ACCESS},
    {99999, 0xffffffff, 7, 1, 0},        // strings outside of the table
    {sizeof strings - 5, MAIN, 7, 1, 0}, // a string that does not end inside
    {OTHER + 12, MAIN, 7, 1, 0},         // control characters
};
static const tsl_sites table = {site_table, 9, strings, sizeof strings - 1};

static void sites_are_checked(void **state) {
    (void)state;
    tsl_where where;
    assert_true(tsl_sites_get(&table, 1, &where));
    assert_string_equal(where.file, "prog.c");
    assert_string_equal(where.func, "worker");
    assert_true(where.line == 10 && where.column == 5);
    uint32_t bad[] = {0, 6, 7, 8, 9, 1000, UINT32_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(tsl_sites_get(&table, bad[i], &where));
        assert_string_equal(where.file, "");
    }
    assert_false(tsl_sites_get(NULL, 1, &where));
    assert_string_equal(tsl_sites_file(&table, "/home/x/prog.c"), "prog.c");
    assert_string_equal(tsl_sites_file(&table, "/home/dir/other.c"), "dir/other.c");
    assert_null(tsl_sites_file(&table, "/home/x/myprog.c"));
    assert_null(tsl_sites_file(&table, "/home/other.c"));
    assert_null(tsl_sites_file(NULL, "x"));
}

// ---------------------------------------------------------------- a trace to report on

#define HEAP(thread, offset) (TSL_HEAP_ADDR + (thread)*TSL_HEAP_STRIDE + (offset))

static tsl_event event(unsigned kind, uint16_t thread, uint32_t site, uint64_t addr, uint16_t res) {
    return (tsl_event){.addr = addr & 0xffffffffffffu,
                       .kind = kind & 0xffu,
                       .arg = 2,
                       .site = site,
                       .thread = thread,
                       .res = res};
}

typedef struct fixture {
    tsl_trace_head *head;
    tsl_event events[64];
    tsl_trace trace;
    tsl_run run;
    tsl_plan ran;
    tsl_symbols *symbols;
} fixture;

static const tsl_run *run_of(fixture *f) {
    tsl_run_take(&f->run, &f->trace, NULL);
    return &f->run;
}

static void add(fixture *f, tsl_event e) { f->events[f->trace.nevents++] = e; }

static void add_thread(fixture *f, uint16_t thread, uint16_t parent, uint16_t index) {
    tsl_thread_info *info = &f->head->threads[f->head->nthreads++];
    *info = (tsl_thread_info){.thread = thread,
                              .parent = parent,
                              .index = index,
                              .owner = 0xffff,
                              .state = TSL_THREAD_READY};
    f->head->all_threads++;
}

static uint64_t addr_of(const void *p) { return (uint64_t)(uintptr_t)p; }

// T0 makes T1 (number 5), which makes T1.1 (number 6); they count, allocate and free.
static int make(void **state) {
    fixture *f = tsl_alloc(sizeof *f);
    tsl_mapped mapped = tsl_self();
    f->symbols = tsl_symbols_new(&mapped, 1);
    f->head = tsl_alloc(sizeof *f->head);
    f->trace.head = f->head;
    f->trace.events = f->events;
    tsl_plan_init(&f->ran);
    f->ran.seed = 42;
    add_thread(f, 0, 0xffff, 0);
    add_thread(f, 5, 0, 1);
    add_thread(f, 6, 5, 1);
    uint64_t block = TSL_FIBERS_ADDR + 5 * TSL_FIBER_STRIDE;
    add(f, event(TSL_EV_CREATE, 0, 3, block, 5));
    add(f, event(TSL_EV_START, 5, 0, block, 0));
    add(f, event(TSL_EV_CREATE, 5, 3, block + 0x400, 6));
    for (int i = 0; i < 30; i++)
        add(f, event(TSL_EV_READ, 5, 1, addr_of(&test_counter), 0));
    add(f, event(TSL_EV_LOCK, 5, 2, addr_of(&test_array[1]), 0));
    add(f, event(TSL_EV_ALLOC, 6, 4, HEAP(6, 64), 0));
    add(f, event(TSL_EV_LENGTH, 6, 0, 16, 0));
    add(f, event(TSL_EV_WRITE, 6, 1, HEAP(6, 72), 0));
    add(f, event(TSL_EV_WRITE, 6, 1, addr_of(&test_counter), 0));
    add(f, event(TSL_EV_JOIN, 0, 3, block, 0));
    f->head->steps = 37;
    *state = f;
    return 0;
}

static int unmake(void **state) {
    fixture *f = *state;
    tsl_symbols_free(f->symbols);
    tsl_plan_drop(&f->ran);
    tsl_run_drop(&f->run);
    tsl_free(f->head);
    tsl_free(f);
    return 0;
}

static tsl_names names_in(fixture *f) {
    return (tsl_names){&table, f->symbols, f->head->threads, f->head->nthreads, run_of(f), false};
}

static void assert_object(const tsl_names *names, uint64_t addr, const char *expected) {
    tsl_buf out = {0};
    tsl_names_object(names, addr, &out);
    assert_string_equal(tsl_buf_text(&out), expected);
    tsl_buf_drop(&out);
}

static void assert_thread(const tsl_names *names, unsigned thread, const char *expected) {
    tsl_buf out = {0};
    tsl_names_thread(names, thread, &out);
    assert_string_equal(tsl_buf_text(&out), expected);
    tsl_buf_drop(&out);
}

static void names_of_things(void **state) {
    fixture *f = *state;
    tsl_names names = names_in(f);
    assert_thread(&names, 0, "T0");
    assert_thread(&names, 5, "T1");
    assert_thread(&names, 6, "T1.1");
    assert_thread(&names, 77, "T#77");
    f->head->threads[1].parent = 6; // a loop in the records must end
    assert_thread(&names, 6, "T#6");
    f->head->threads[1].parent = 0;
    assert_object(&names, addr_of(&test_array[1]), "`test_array[1]`");
    assert_object(&names, HEAP(6, 64), "heap block of dir/other.c:3");
    assert_object(&names, HEAP(6, 72), "heap block of dir/other.c:3+8");
    assert_object(&names, HEAP(6, 80), "heap 0x100600000050 of T1.1");
    assert_object(&names, TSL_STACK_ADDR + 5 * TSL_STACK_STRIDE + 16, "stack of T1 0x10014000010");
    assert_object(&names, TSL_FIBERS_ADDR + 5 * TSL_FIBER_STRIDE, "T1");
    assert_object(&names, TSL_FIBERS_ADDR + 6 * TSL_FIBER_STRIDE, "T1.1");
    names.run = NULL; // events of a long run may not reach back to where the thread was created
    assert_object(&names, TSL_FIBERS_ADDR + 5 * TSL_FIBER_STRIDE, "T1");
    assert_object(&names, 0x77, "0x77");
    tsl_buf out = {0};
    tsl_names_clean("a\x1b[2J\nb\x7f", 8, &out);
    assert_string_equal(tsl_buf_text(&out), "a?[2J b?");
    tsl_buf_drop(&out);
}

// ---------------------------------------------------------------- deadlocks

static void block_on(fixture *f, size_t i, unsigned kind, const void *object, uint16_t owner,
                     uint32_t site) {
    tsl_thread_info *info = &f->head->threads[i];
    info->state = TSL_THREAD_BLOCKED;
    info->pending = (uint8_t)kind;
    info->object = addr_of(object);
    info->owner = owner;
    info->site = site;
}

static void make_deadlock(fixture *f) {
    f->head->outcome = TSL_OUT_DEADLOCK;
    block_on(f, 0, TSL_EV_JOIN, NULL, 5, 3);
    block_on(f, 1, TSL_EV_LOCK, &test_array[1], 6, 2);
    block_on(f, 2, TSL_EV_LOCK, &test_array[2], 5, 1);
}

static void deadlock_cycle(void **state) {
    fixture *f = *state;
    tsl_names names = names_in(f);
    tsl_deadlock d;
    tsl_buf out = {0};
    make_deadlock(f);
    tsl_deadlock_find(f->head->threads, f->head->nthreads, &d);
    assert_int_equal(d.waits.len, 3);
    assert_int_equal(d.core.len, 2);
    assert_int_equal(d.core.data[0]->thread, 5);
    assert_int_equal(d.core.data[1]->thread, 6);
    tsl_deadlock_message(&d, &names, &out);
    assert_string_equal(tsl_buf_text(&out), "T1 waits for mutex `test_array[1]` held by T1.1, "
                                            "T1.1 waits for mutex `test_array[2]` held by T1");
    tsl_deadlock_drop(&d);
    tsl_buf_clear(&out);

    // A lock taken twice, a holder that has ended, and a wait for no thread.
    block_on(f, 1, TSL_EV_LOCK, &test_array[1], 5, 2);
    block_on(f, 2, TSL_EV_WOKEN, &test_array[2], 0xffff, 1);
    tsl_deadlock_find(f->head->threads, f->head->nthreads, &d);
    assert_int_equal(d.core.len, 1);
    tsl_deadlock_message(&d, &names, &out);
    assert_string_equal(tsl_buf_text(&out), "T1 waits for mutex `test_array[1]` held by T1 itself");
    tsl_deadlock_drop(&d);
    tsl_buf_clear(&out);
    f->head->threads[1].state = TSL_THREAD_ENDED;
    f->head->threads[0].pending = TSL_EV_SEM_WAIT;
    tsl_deadlock_find(f->head->threads, f->head->nthreads, &d);
    assert_false(d.is_cycle);
    tsl_deadlock_message(&d, &names, &out);
    assert_string_equal(tsl_buf_text(&out),
                        "T0 waits for semaphore 0x0 held by T1, which has ended");
    tsl_deadlock_drop(&d);
    tsl_buf_clear(&out);
    f->head->threads[0].owner = 0xffff;
    tsl_deadlock_find(f->head->threads, f->head->nthreads, &d);
    tsl_deadlock_message(&d, &names, &out);
    assert_string_equal(tsl_buf_text(&out), "T0 waits for semaphore 0x0, "
                                            "T1.1 waits for signal on condition `test_array[2]`");
    tsl_deadlock_drop(&d);
    // A thread that ends the program does not wait.
    f->head->threads[0].pending = TSL_EV_EXIT;
    tsl_deadlock_find(f->head->threads, f->head->nthreads, &d);
    assert_int_equal(d.waits.len, 1);
    tsl_deadlock_drop(&d);
    tsl_buf_drop(&out);
    tsl_deadlock_find(NULL, 0, &d);
    tsl_deadlock_drop(&d);
}

// ---------------------------------------------------------------- bugs

static char *report(const tsl_bug *bug, fixture *f) {
    tsl_buf out = {0};
    tsl_text_bug(bug, &table, f->symbols, (tsl_text_style){0}, &out);
    return tsl_buf_take(&out);
}

static void bug_assertion(void **state) {
    fixture *f = *state;
    f->head->outcome = TSL_OUT_ASSERTION;
    f->head->thread = 6;
    f->head->site = 2;
    strcpy(f->head->message, "counter == 2\x1b");
    strcpy(f->head->threads[2].name, "adder");
    strcpy(f->head->output, "hello\nwor\x07ld\n");
    f->head->output_bytes = 13;
    f->head->output_total = 13;
    tsl_bug *bug = tsl_bug_new(run_of(f), &f->ran, &table, f->symbols);
    assert_string_equal(bug->kind, "assertion");
    assert_string_equal(bug->message, "counter == 2?");
    assert_string_equal(bug->file, "prog.c");
    assert_string_equal(bug->function, "worker");
    assert_true(bug->line == 14 && bug->thread == 6 && bug->plan.seed == 42);
    assert_int_equal(bug->plan.items.len, 4);
    assert_true(bug->signature == tsl_bug_signature(run_of(f), &table, f->symbols));
    bug->executions_to_find = 12;
    bug->replay = tsl_strdup("out/bug-1.replay");
    memset(f->head, 0xee, sizeof *f->head); // the run's memory is gone
    memset(f->events, 0xee, sizeof f->events);
    char *text = report(bug, f);
    assert_contains(text, "assertion failed: counter == 2?\n  at prog.c:14 in worker, "
                          "thread T1.1 \"adder\"\n");
    assert_contains(text, "    T1    prog.c:14  lock          `test_array[1]`\n");
    assert_contains(text, "    T1.1  prog.c:10  write         heap block of other.c:3+8\n");
    assert_contains(text, "    T0    prog.c:21  join          T1\n");
    assert_contains(text, "    T1    -          start\n");
    assert_contains(text, "    ... 30 steps\n");
    assert_contains(text, "37 steps, 3 switches, 3 threads");
    assert_contains(text, "its output:\n    | hello\n    | wor?ld\n");
    assert_contains(text, "found in execution 12\n  replay: teasel replay out/bug-1.replay\n");
    const char *last = "bug-1.replay\n";
    assert_string_equal(text + strlen(text) - strlen(last), last);
    assert_null(strchr(text, '\x1b'));
    tsl_free(text);
    tsl_bug_free(bug);
    tsl_bug_free(NULL);
}

static void bug_deadlock(void **state) {
    fixture *f = *state;
    make_deadlock(f);
    tsl_bug *bug = tsl_bug_new(run_of(f), &f->ran, &table, f->symbols);
    assert_string_equal(bug->kind, "deadlock");
    assert_string_equal(bug->file, "prog.c");
    assert_int_equal(bug->line, 14); // where T1, the first of the cycle, waits
    char *text = report(bug, f);
    assert_contains(text, "T0 waits for T1 to end, at prog.c:21 in main");
    assert_contains(text, "prog.c:14 in worker, thread T1\n");
    assert_contains(text, "cycle: T1 -> T1.1 -> T1\n");
    tsl_free(text);
    // The same sites with the threads exchanged are the same deadlock; another site is another one.
    block_on(f, 1, TSL_EV_LOCK, &test_array[2], 6, 1);
    block_on(f, 2, TSL_EV_LOCK, &test_array[1], 5, 2);
    assert_true(tsl_bug_signature(run_of(f), &table, f->symbols) == bug->signature);
    f->head->threads[1].site = 4;
    assert_true(tsl_bug_signature(run_of(f), &table, f->symbols) != bug->signature);
    tsl_bug_free(bug);
}

static void bug_crash(void **state) {
    fixture *f = *state;
    int line = 0;
    f->head->outcome = TSL_OUT_SIGNAL;
    f->head->signal = SIGSEGV;
    f->head->thread = 5;
    f->head->site = 4; // the last call: not where it crashed
    f->head->threads[1].nframes = 2;
    f->head->threads[1].frames[0] = outer_function(&line);
    f->head->threads[1].frames[1] = 0x1234;
    f->head->threads[1].start_routine = addr_of((void *)(uintptr_t)&outer_function);
    tsl_bug *bug = tsl_bug_new(run_of(f), &f->ran, &table, f->symbols);
    assert_string_equal(bug->kind, "crash");
    assert_contains(bug->message, "signal 11");
    char *text = report(bug, f);
    assert_string_equal(bug->function, "inlined_leaf");
    assert_contains(text, "#0  inlined_leaf  ");
    assert_contains(text, "#1  outer_function  ");
    assert_contains(text, "    T1 (here, runs outer_function):\n");
    assert_contains(text, " | ");        // the source line
    assert_null(strstr(text, "0x1234")); // nothing outside of the start routine
    tsl_free(text);
    tsl_bug_free(bug);
    // Without any names the bug is still reported, and distinguished by its address.
    bug = tsl_bug_new(run_of(f), &f->ran, NULL, NULL);
    assert_null(bug->file);
    text = report(bug, f);
    tsl_free(text);
    f->head->threads[1].frames[0]++;
    assert_true(tsl_bug_signature(run_of(f), NULL, NULL) != bug->signature);
    tsl_bug_free(bug);
}

static void bug_heap(void **state) {
    fixture *f = *state;
    f->head->outcome = TSL_OUT_USE_AFTER_FREE;
    f->head->thread = 0;
    f->head->site = 1;
    f->head->fault_addr = HEAP(6, 72);
    f->head->access_size = 4;
    f->head->block = (tsl_block_info){.addr = HEAP(6, 64),
                                      .size = 16,
                                      .alloc_site = 4,
                                      .alloc_thread = 6,
                                      .free_site = 3,
                                      .free_thread = 5,
                                      .freed = 1};
    tsl_bug *bug = tsl_bug_new(run_of(f), &f->ran, &table, f->symbols);
    char *text = report(bug, f);
    assert_contains(text, "16 bytes at 0x100600000040, allocated by T1.1 at dir/other.c:3 in main");
    assert_contains(text, "freed by T1 at prog.c:21 in main");
    assert_contains(text, "4 bytes at offset 8\n");
    tsl_free(text);
    tsl_bug_free(bug);
}

static void bug_others(void **state) {
    fixture *f = *state;
    f->head->outcome = TSL_OUT_EXIT_STATUS;
    f->head->exit_status = 3;
    tsl_bug *bug = tsl_bug_new(run_of(f), &f->ran, &table, f->symbols);
    assert_string_equal(bug->message, "the program ended with status 3");
    assert_null(bug->file);
    tsl_bug_free(bug);
    f->head->outcome = TSL_OUT_LEAK;
    f->head->leak_bytes = 32;
    f->head->leak_blocks = 2;
    f->head->block.alloc_site = 4;
    bug = tsl_bug_new(run_of(f), &f->ran, &table, f->symbols);
    assert_string_equal(bug->message, "32 bytes in 2 blocks are lost");
    assert_string_equal(bug->file, "dir/other.c");
    tsl_bug_free(bug);
}

// When are two failing runs two bugs?
static void bug_signatures(void **state) {
    fixture *f = *state;
    enum { ASSERTION = TSL_OUT_ASSERTION, STATUS = TSL_OUT_EXIT_STATUS };
    static const struct {
        unsigned outcome, site;
        const char *message;
        int status;
    } ends[] = {{ASSERTION, 1, "a", 0}, {ASSERTION, 1, "b", 0}, {ASSERTION, 5, "a", 0},
                {ASSERTION, 2, "a", 0}, {STATUS, 0, "", 1},     {STATUS, 0, "", 2},
                {STATUS, 1, "", 1},     {STATUS, 1, "", 2}};
    enum { ENDS = sizeof ends / sizeof *ends };
    uint64_t signatures[ENDS];
    for (unsigned i = 0; i < ENDS; i++) {
        f->head->outcome = (uint16_t)ends[i].outcome;
        f->head->site = ends[i].site;
        f->head->exit_status = ends[i].status;
        strcpy(f->head->message, ends[i].message);
        signatures[i] = tsl_bug_signature(run_of(f), &table, f->symbols);
        for (unsigned j = 0; j < i; j++)
            assert_true(signatures[j] != signatures[i]);
    }
    // Other threads and schedules show the same bug.
    f->head->thread = f->head->threads[1].thread;
    assert_true(tsl_bug_signature(run_of(f), &table, f->symbols) == signatures[ENDS - 1]);
}

static void bug_race(void **state) {
    fixture *f = *state;
    f->head->outcome = TSL_OUT_OK;
    size_t read = 3, write = 37;
    tsl_bug *bug =
        tsl_bug_new_race(run_of(f), &f->ran, &table, f->symbols, read, write, NULL, NULL);
    assert_string_equal(bug->kind, "race");
    assert_string_equal(bug->message, "read of `test_counter` by T1 at prog.c:10, "
                                      "write by T1.1 at prog.c:10");
    assert_int_equal(bug->line, 10);
    char *text = report(bug, f);
    assert_null(strstr(text, "  join ")); // steps after the bug are not shown
    assert_contains(text, "T1: read of 4 bytes, holding no lock\n    at prog.c:10 in worker");
    tsl_free(text);
    // Same line, another column: the same race; so is the other way round.
    assert_true(tsl_bug_signature_race(&table, 5, 1) == bug->signature);
    assert_true(tsl_bug_signature_race(&table, 2, 1) != bug->signature);
    assert_true(tsl_bug_signature_race(&table, 2, 1) == tsl_bug_signature_race(&table, 1, 2));
    tsl_bug_free(bug);
}

static const tsl_trace_head no_head;

static size_t held(const tsl_event *events, size_t n, unsigned thread, tsl_locks *out) {
    tsl_run run = {0};
    assert_true(
        tsl_run_take(&run, &(tsl_trace){.head = &no_head, .events = events, .nevents = n}, NULL));
    tsl_locks_held(&run, n, thread, out);
    tsl_run_drop(&run);
    return out->len;
}

static void locks_held(void **state) {
    (void)state;
    enum { A = 0x1000, B = 0x2000, C = 0x3000 };
    tsl_event e[] = {
        event(TSL_EV_LOCK, 1, 1, A, 0),
        event(TSL_EV_LOCK, 2, 1, B, 0),
        event(TSL_EV_RDLOCK, 1, 2, B, 0),
        event(TSL_EV_TRYLOCK, 1, 1, C, EBUSY), // not taken
        event(TSL_EV_LOCK, 1, 3, A, 0),        // recursive
        event(TSL_EV_UNLOCK, 1, 3, A, 0),
        event(TSL_EV_WAIT, 1, 3, C, 0), // and unlocks A
        event(TSL_EV_ALSO, 1, 0, A, TSL_EV_UNLOCK),
        event(TSL_EV_LOCK, 1, 3, A, EOWNERDEAD),
        event(TSL_EV_RW_UNLOCK, 1, 3, B, 0),
    };
    tsl_locks locks = {0};
    assert_int_equal(held(e, 5, 1, &locks), 2);
    assert_int_equal(locks.data[0].addr, A);
    assert_int_equal(locks.data[0].site, 1);
    assert_string_equal(tsl_lock_word(&locks.data[0]), "mutex");
    assert_string_equal(tsl_lock_word(&locks.data[1]), "read lock");
    assert_int_equal(held(e, 6, 1, &locks), 2); // once is left of A
    assert_int_equal(held(e, 8, 1, &locks), 1);
    assert_int_equal(locks.data[0].addr, B);
    assert_int_equal(held(e, 9, 1, &locks), 2);
    assert_int_equal(held(e, 10, 1, &locks), 1);
    assert_int_equal(locks.data[0].addr, A);
    assert_int_equal(held(e, 10, 2, &locks), 1);
    assert_int_equal(held(e, 10, 3, &locks), 0);
    tsl_vec_drop(&locks);
}

// A Trace with nothing in it, and one with false numbers in it.
static void bug_from_rubbish(void **state) {
    fixture *f = *state;
    f->trace.nevents = 0;
    f->head->nthreads = 0;
    tsl_bug *bug = tsl_bug_new(run_of(f), &f->ran, NULL, NULL);
    char *text = report(bug, f);
    tsl_free(text);
    tsl_bug_free(bug);
    memset(f->head, 0xff, sizeof *f->head);
    memset(f->events, 0xff, sizeof f->events);
    f->trace.nevents = 64;
    f->head->outcome = TSL_OUT_DEADLOCK;
    for (size_t i = 0; i < TSL_TRACE_THREADS; i++)
        f->head->threads[i].state = TSL_THREAD_BLOCKED;
    bug = tsl_bug_new(run_of(f), &f->ran, &table, f->symbols);
    text = report(bug, f);
    tsl_free(text);
    tsl_bug_free(bug);
}

// A run that strayed is explained by what the runtime named first.
static void sources_of_divergence(void **state) {
    (void)state;
    tsl_census *census = tsl_alloc(sizeof *census);
    tsl_stray_run stray = {.run = 3, .because = ""};
    static const char *const expected[] = {"reads from outside differs", "a clock"};
    for (unsigned i = 0; i < 2; i++) {
        tsl_buf out = {0};
        if (i == 1)
            census->notes[census->nnotes++] =
                (tsl_note){.reason = TSL_REASON_OUTSIDE, .text = "a clock"};
        tsl_divergence_text(&stray, &table, census, &out);
        assert_contains(tsl_buf_text(&out), "run 3 was the first");
        assert_contains(tsl_buf_text(&out), expected[i]);
        tsl_buf_drop(&out);
    }
    tsl_free(census);
}

static void assert_exits(const tsl_exits *exits, const char *expected) {
    tsl_buf out = {0};
    tsl_exits_text(exits, &out);
    assert_string_equal(out.len ? tsl_buf_text(&out) : "", expected);
    tsl_buf_drop(&out);
}

static void exit_with(tsl_exits *exits, unsigned outcome, int status, const char *output) {
    tsl_trace_head *head = tsl_alloc(sizeof *head);
    head->outcome = outcome;
    head->exit_status = status;
    head->output_bytes = (uint32_t)strlen(output);
    memcpy(head->output, output, head->output_bytes);
    tsl_exits_add(exits, head);
    tsl_free(head);
}

static void exits_are_told(void **state) {
    (void)state;
    tsl_exits none = {0}, all = {0}, some = {0};
    exit_with(&none, TSL_OUT_OK, 0, "fine\n");
    assert_exits(&none, "");
    exit_with(&all, TSL_OUT_OK, 71, "one\nno \x1b such file\n\n");
    assert_exits(&all, "  the run ended with exit status 71; --fail-on-exit reports that as a bug\n"
                       "    the last line it printed: no ? such file\n");
    exit_with(&all, TSL_OUT_OK, 71, "other");
    exit_with(&all, TSL_OUT_DEADLOCK, 1, "a bug is told otherwise");
    assert_exits(&all,
                 "  every run ended with exit status 71; --fail-on-exit reports that as a bug\n"
                 "    the last line it printed: no ? such file\n");
    exit_with(&some, TSL_OUT_OK, 1, "");
    exit_with(&some, TSL_OUT_OK, 0, "");
    exit_with(&some, TSL_OUT_OK, 2, "");
    assert_exits(&some, "  2 of 3 runs ended with exit statuses other than 0, the first 1; "
                        "--fail-on-exit reports that as a bug\n");
}

// ---------------------------------------------------------------- census, summary, JSON

static tsl_census *make_census(void) {
    tsl_census *census = tsl_alloc(sizeof *census);
    census->objects = 2;
    census->functions = 9;
    census->accesses = 120;
    census->nopaque = 2;
    census->opaque[0] = (tsl_opaque){"qsort_r", 3, TSL_EXTERN_OPAQUE};
    census->opaque[1] = (tsl_opaque){"socket", 1, TSL_EXTERN_LEAKS};
    census->nnotes = 1;
    census->notes[0] = (tsl_note){"select is not controlled", 3, 0};
    return census;
}

static void census_text(void **state) {
    (void)state;
    tsl_census *census = make_census();
    tsl_buf out = {0};
    tsl_census_text(census, &table, &out);
    assert_contains(out.data, "2 objects, 9 functions, 120 accesses");
    assert_contains(out.data, "    qsort_r                      3 calls  not instrumented\n");
    assert_contains(out.data,
                    "    socket                       1 call   acts outside the process\n");
    assert_contains(out.data, "note: select is not controlled (prog.c:21)\n");
    memset(census, 0xff, sizeof *census); // lies
    tsl_buf_clear(&out);
    tsl_census_text(census, NULL, &out);
    tsl_buf_drop(&out);
    tsl_free(census);
}

static json_t *parsed(const tsl_summary *summary) {
    tsl_buf out = {0};
    tsl_json_summary(summary, &out);
    json_error_t error;
    json_t *object = json_loads(out.data, 0, &error);
    if (!object)
        fail_msg("%s\n%s", error.text, out.data);
    tsl_buf_drop(&out);
    return object;
}

static void json_names_are_kept(void **state) {
    fixture *f = *state;
    tsl_census *census = make_census();
    tsl_bugs bugs = {0};
    f->head->outcome = TSL_OUT_ASSERTION;
    f->head->site = 2;
    strcpy(f->head->output, "caf\xe9\n"); // not UTF-8
    f->head->output_bytes = 5;
    tsl_vec_push(&bugs, tsl_bug_new(run_of(f), &f->ran, &table, f->symbols));
    tsl_vec_push(&bugs,
                 tsl_bug_new_race(run_of(f), &f->ran, &table, f->symbols, 3, 37, NULL, NULL));
    bugs.data[0]->executions_to_find = 7;
    bugs.data[0]->replay = tsl_strdup("x.replay");
    tsl_claim claim = {.reach = TSL_REACH_SAMPLES, .ended = 98};
    tsl_claim_weaken(&claim, TSL_REASON_RUN_STEPS, 2);
    tsl_counts counts = {.executions = 100, .seconds = 0.5};
    tsl_summary summary = {.verdict = "sampled",
                           .strategy = "random",
                           .counts = &counts,
                           .bugs = &bugs,
                           .claim = &claim,
                           .census = census,
                           .sites = &table,
                           .symbols = f->symbols};
    json_t *o = parsed(&summary);
    static const char *const promised[] = {
        "verdict",  "strategy", "executions", "blocked", "traces",
        "paths",    "bugs",     "races",      "seconds", "executions_per_second",
        "coverage", "solver",   "census",     "seed",    "mode",
        "restarts", "limits",   "reasons",    "extent"};
    for (size_t i = 0; i < sizeof promised / sizeof *promised; i++)
        if (!json_object_get(o, promised[i]))
            fail_msg("no '%s'", promised[i]);
    assert_true(json_is_null(json_object_get(o, "traces")));
    assert_true(json_is_null(json_object_get(o, "coverage")));
    assert_null(json_object_get(o, "same"));
    assert_int_equal(json_number_value(json_object_get(o, "executions_per_second")), 200);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(o, "limits"), "step-limit")), 2);
    json_t *bug = json_array_get(json_object_get(o, "bugs"), 0);
    assert_string_equal(json_string_value(json_object_get(bug, "kind")), "assertion");
    assert_string_equal(json_string_value(json_object_get(bug, "file")), "prog.c");
    assert_int_equal(json_integer_value(json_object_get(bug, "line")), 14);
    assert_int_equal(json_integer_value(json_object_get(bug, "executions_to_find")), 7);
    assert_string_equal(json_string_value(json_object_get(bug, "replay")), "x.replay");
    assert_string_equal(json_string_value(json_object_get(bug, "output")), "caf\xef\xbf\xbd\n");
    assert_int_equal(json_array_size(json_object_get(bug, "threads")), 3);
    json_t *race = json_array_get(json_object_get(o, "bugs"), 1);
    assert_int_equal(json_array_size(json_object_get(race, "accesses")), 2);
    assert_true(json_is_null(json_object_get(race, "replay")));
    json_t *second = json_object_get(race, "other");
    assert_string_equal(json_string_value(json_object_get(second, "access")), "write");
    assert_string_equal(json_string_value(json_object_get(second, "thread")), "T1.1");
    assert_int_equal(json_integer_value(json_object_get(second, "line")), 10);
    assert_int_equal(json_integer_value(json_object_get(o, "races")), 1);
    json_t *notes = json_object_get(json_object_get(o, "census"), "notes");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(notes, 0), "line")), 21);
    json_decref(o);

    tsl_counts six = {.traces = 6};
    tsl_summary least = {.same = TSL_SAME_YES, .has_traces = true, .counts = &six};
    o = parsed(&least);
    assert_true(json_is_true(json_object_get(o, "same")));
    assert_int_equal(json_integer_value(json_object_get(o, "traces")), 6);
    assert_int_equal(json_array_size(json_object_get(o, "bugs")), 0);
    json_decref(o);
    tsl_buf out = {0};
    tsl_summary_text(&summary, &out);
    assert_contains(out.data, "sampled: 100 executions in 0.5 s (200 per second)");
    assert_contains(out.data, "2 runs stopped at the step limit");
    tsl_buf_drop(&out);
    for (size_t i = 0; i < bugs.len; i++)
        tsl_bug_free(bugs.data[i]);
    tsl_vec_drop(&bugs);
    tsl_free(census);
}

static void source_lines(void **state) {
    (void)state;
    char path[] = "/tmp/teasel-source-XXXXXX";
    close(mkstemp(path));
    tsl_buf out = {0};
    tsl_err err = {0};
    assert_true(tsl_file_write_atomic(path, "one\n\ttwo\x1b\nthree", 15, &err));
    assert_true(tsl_source_line(path, 2, &out));
    assert_string_equal(tsl_buf_text(&out), " two?");
    tsl_buf_clear(&out);
    assert_true(tsl_source_line(path, 3, &out));
    assert_string_equal(tsl_buf_text(&out), "three");
    assert_false(tsl_source_line(path, 4, &out));
    assert_false(tsl_source_line(path, 0, &out));
    unlink(path);
    assert_false(tsl_source_line(path, 1, &out));
    assert_false(tsl_source_line("/tmp", 1, &out));
    tsl_buf_drop(&out);
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, make, unmake)

int main(void) {
    if (!tsl_self_has_debug_information()) {
        fprintf(stderr, "built without -g: skipped\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_are_checked),
        with_fixture(names_of_things),
        with_fixture(deadlock_cycle),
        with_fixture(bug_assertion),
        with_fixture(bug_deadlock),
        with_fixture(bug_crash),
        with_fixture(bug_heap),
        with_fixture(bug_others),
        with_fixture(bug_signatures),
        with_fixture(bug_race),
        cmocka_unit_test(locks_held),
        with_fixture(bug_from_rubbish),
        cmocka_unit_test(sources_of_divergence),
        cmocka_unit_test(exits_are_told),
        cmocka_unit_test(census_text),
        with_fixture(json_names_are_kept),
        cmocka_unit_test(source_lines),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
