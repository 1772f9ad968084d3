// Is reading a run linear in its events, whatever they are?
//
// Each row of the table is a way in which a program can spend its time, and makes a Trace of a
// given length.  Reading a Trace that is ten times as long may take ten times as long, with room
// for noise, but not a hundred times.  Reading means all that is done with every run: the digest,
// both histories, races, and cutting back to the beginning.
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "explore/race_watch.h"
#include "model/race.h"

enum { SHORT_RUN = 10000, LONG_RUN = 100000, LONGEST_RUN = 1000000, WORD = 0x10000 };
#define MOST_GROWTH 4.0 // of the time for one event, from one length to the next

typedef tsl_event (*maker)(size_t i, size_t n);

static tsl_event at(unsigned kind, unsigned thread, uint64_t addr, unsigned size_code,
                    unsigned res) {
    return (tsl_event){.addr = addr,
                       .kind = kind & 255u,
                       .arg = (uint64_t)(size_code | __ATOMIC_SEQ_CST << 4) & 255u,
                       .thread = (uint16_t)thread,
                       .site = kind,
                       .res = (uint16_t)res};
}

// ---------------------------------------------------------------- the table

// A flag that no thread writes, next to a counter.
static tsl_event shared_word(size_t i, size_t n) {
    (void)n;
    return i & 1 ? at(TSL_EV_AREAD, 1, WORD + 4, 2, 0) : at(TSL_EV_RMW, 0, WORD, 2, 1);
}

static tsl_event plain_neighbours(size_t i, size_t n) {
    (void)n;
    unsigned thread = (unsigned)(i / 3 & 1);
    return at(i % 3 ? TSL_EV_READ : TSL_EV_WRITE, thread, WORD + 4u * thread, 2, 0);
}

static tsl_event increments(size_t i, size_t n) {
    (void)n;
    return at(TSL_EV_RMW, (unsigned)(i & 1), WORD, 3, (unsigned)i & 0x7fff);
}

static tsl_event relaxed_increments(size_t i, size_t n) {
    tsl_event e = increments(i, n);
    e.arg = 3;
    return e;
}

static tsl_event reads_then_a_write(size_t i, size_t n) {
    return i + 1 < n ? at(TSL_EV_READ, (unsigned)(i % 3), WORD, 3, 0)
                     : at(TSL_EV_WRITE, 3, WORD, 3, 0);
}

static tsl_event every_size(size_t i, size_t n) {
    (void)n;
    uint64_t x = i * 0x9e3779b97f4a7c15ull >> 20;
    unsigned code = (unsigned)(x & 3), thread = (unsigned)(x >> 2 & 3);
    return at(x & 16 ? TSL_EV_WRITE : TSL_EV_READ, thread, WORD + (x >> 5 & 7), code, 0);
}

static tsl_event posts(size_t i, size_t n) {
    (void)n;
    return at(TSL_EV_SEM_POST, (unsigned)(i & 1), WORD, 0, 0);
}

static tsl_event posts_then_waits(size_t i, size_t n) {
    bool post = i < n / 2;
    return at(post ? TSL_EV_SEM_POST : TSL_EV_SEM_WAIT, post ? 0 : 1, WORD, 0, 0);
}

static tsl_event posts_and_looks(size_t i, size_t n) {
    (void)n;
    return at(i & 1 ? TSL_EV_SEM_POST : TSL_EV_SEM_GET, (unsigned)(i & 1), WORD, 0, 0);
}

static tsl_event posts_then_looks(size_t i, size_t n) {
    bool post = i < n / 2;
    return at(post ? TSL_EV_SEM_POST : TSL_EV_SEM_GET, post ? 0 : 1, WORD, 0, 0);
}

static tsl_event failing_trylocks(size_t i, size_t n) {
    (void)n;
    return i == 0 ? at(TSL_EV_LOCK, 0, WORD, 0, 0) : at(TSL_EV_TRYLOCK, 1, WORD, 0, EBUSY);
}

static tsl_event signals_into_the_void(size_t i, size_t n) {
    (void)n;
    return at(TSL_EV_SIGNAL, (unsigned)(i & 1), WORD, 0, 0);
}

static tsl_event one_lock(size_t i, size_t n) {
    (void)n;
    return at(i & 1 ? TSL_EV_UNLOCK : TSL_EV_LOCK, (unsigned)(i >> 1 & 1), WORD, 0, 0);
}

static tsl_event readers_and_a_writer(size_t i, size_t n) {
    (void)n;
    unsigned kinds[] = {TSL_EV_RDLOCK,    TSL_EV_RW_UNLOCK, TSL_EV_RDLOCK,
                        TSL_EV_RW_UNLOCK, TSL_EV_WRLOCK,    TSL_EV_RW_UNLOCK};
    return at(kinds[i % 6], (unsigned)(i % 6 / 2), WORD, 0, 0);
}

static tsl_event barrier_rounds(size_t i, size_t n) {
    (void)n;
    bool arrive = i % 4 < 2;
    return at(arrive ? TSL_EV_BARRIER_ARRIVE : TSL_EV_BARRIER_LEAVE, (unsigned)(i & 1), WORD, 0,
              arrive && !(i & 1));
}

static tsl_event overwritten_semaphore(size_t i, size_t n) {
    return i < n / 2 ? at(TSL_EV_SEM_POST, 0, WORD, 0, 0) : at(TSL_EV_WRITE, 1, WORD, 3, 0);
}

static tsl_event compare_and_swap(size_t i, size_t n) {
    (void)n;
    return at(TSL_EV_CAS, (unsigned)(i & 1), WORD, 2, (unsigned)(i % 3 == 0));
}

static tsl_event many_threads(size_t i, size_t n) {
    (void)n;
    return at(i % 64 ? TSL_EV_READ : TSL_EV_WRITE, (unsigned)(i * 7 % 64), WORD, 3, 0);
}

static tsl_event an_array(size_t i, size_t n) {
    (void)n;
    return at(i & 1 ? TSL_EV_READ : TSL_EV_WRITE, (unsigned)(i & 1), WORD + 4 * (i >> 1), 2, 0);
}

#define ROWS(X)                                                                                    \
    X(shared_word)                                                                                 \
    X(plain_neighbours)                                                                            \
    X(increments)                                                                                  \
    X(relaxed_increments)                                                                          \
    X(reads_then_a_write)                                                                          \
    X(every_size)                                                                                  \
    X(posts)                                                                                       \
    X(posts_then_waits)                                                                            \
    X(posts_and_looks)                                                                             \
    X(posts_then_looks)                                                                            \
    X(failing_trylocks)                                                                            \
    X(signals_into_the_void)                                                                       \
    X(one_lock)                                                                                    \
    X(readers_and_a_writer)                                                                        \
    X(barrier_rounds) X(overwritten_semaphore) X(compare_and_swap) X(many_threads) X(an_array)

// ---------------------------------------------------------------- reading

static void ignore(void *self, const tsl_found *found) { (void)self, (void)found; }

static double cpu_seconds(void) {
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

// Finds races at every step, as a reducing search does.
static double seconds_for(tsl_run *run, const tsl_trace *trace) {
    tsl_race_sink sink = {NULL, ignore};
    tsl_race_watch watch;
    tsl_history history;
    tsl_race_list races = {0};
    tsl_step_view view;
    uint64_t hash;
    double begun = cpu_seconds();
    assert_true(tsl_run_take(run, trace, NULL));
    tsl_race_watch_init(&watch, &sink, true);
    assert_true(tsl_race_watch_read(&watch, run, &hash));
    tsl_race_watch_drop(&watch);
    tsl_history_init(&history);
    for (size_t i = 0; tsl_run_step(run, i, &view); i = view.next) {
        tsl_history_append(&history, &view);
        tsl_race_find(&history, &races);
    }
    tsl_history_cut(&history, 0);
    tsl_history_drop(&history);
    tsl_vec_drop(&races);
    return cpu_seconds() - begun;
}

// The best of some times, because other programs use the machine, too.
static double nanoseconds_for_one(maker make, size_t n, unsigned most_tries) {
    tsl_trace_head *head = tsl_alloc(sizeof *head);
    tsl_event *events = tsl_alloc(n * sizeof *events);
    tsl_trace trace = {.head = head, .events = events, .nevents = n};
    tsl_run run = {0};
    double best = 1e9;
    head->outcome = TSL_OUT_OK;
    for (size_t i = 0; i < n; i++)
        events[i] = make(i, n);
    for (unsigned tries = 0; tries < most_tries; tries++) {
        double seconds = seconds_for(&run, &trace);
        best = seconds < best ? seconds : best;
    }
    tsl_run_drop(&run);
    tsl_free(events);
    tsl_free(head);
    return best * 1e9 / (double)n;
}

// If the machine was busy only while the long runs were read, the times mislead; so a failure is
// measured again.  Code that is not linear fails each time.
static void is_linear(const char *name, maker make) {
    double few = 0, many = 0;
    for (unsigned rounds = 0; rounds < 5; rounds++) {
        few = nanoseconds_for_one(make, SHORT_RUN, 3);
        many = nanoseconds_for_one(make, LONG_RUN, 3);
        if (many <= MOST_GROWTH * few)
            return;
    }
    fail_msg("%s: %.0f ns for one of %d events, %.0f ns for one of %d", name, few, SHORT_RUN, many,
             LONG_RUN);
}

#define TEST(name)                                                                                 \
    static void name##_is_linear(void **state) {                                                   \
        (void)state;                                                                               \
        is_linear(#name, name);                                                                    \
    }
ROWS(TEST)

// With one argument, whatever it is, the table goes up to a million events, for bench/.
static int print_table(void) {
    printf("%-24s %10d %10d %10d   nanoseconds for one event\n", "events", SHORT_RUN, LONG_RUN,
           LONGEST_RUN);
#define ROW(name)                                                                                  \
    printf("%-24s %10.0f %10.0f %10.0f\n", #name, nanoseconds_for_one(name, SHORT_RUN, 3),         \
           nanoseconds_for_one(name, LONG_RUN, 3), nanoseconds_for_one(name, LONGEST_RUN, 3));
    ROWS(ROW)
    return 0;
}

// With a kind of run and a length, one such run is read once, for tools that count instructions.
static int read_one(const char *name, size_t n) {
#define READ(row)                                                                                  \
    if (strcmp(name, #row) == 0)                                                                   \
        return nanoseconds_for_one(row, n, 1) < 0;
    ROWS(READ)
    fprintf(stderr, "no kind of run is called %s\n", name);
    return 2;
}

int main(int argc, char **argv) {
    if (argc > 2)
        return read_one(argv[1], strtoul(argv[2], NULL, 10));
    if (argc > 1)
        return print_table();
#define ENTRY(name) cmocka_unit_test(name##_is_linear),
    const struct CMUnitTest tests[] = {ROWS(ENTRY)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
