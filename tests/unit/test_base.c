// src/base: errors, memory, vectors, strings, numbers, sets, hashes, files, options.
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/rng.h"
#include "base/set.h"
#include "base/vec.h"

// ---------------------------------------------------------------- err, mem, vec, buf

static void fail_fills_once(void **state) {
    (void)state;
    tsl_err err = {0};
    assert_false(tsl_fail(&err, TSL_EIO, "first %d", 1));
    assert_false(tsl_fail(&err, TSL_EUSAGE, "second"));
    assert_int_equal(err.code, TSL_EIO);
    assert_string_equal(err.text, "first 1");
    assert_false(tsl_fail(NULL, TSL_EIO, "nobody listens"));
    tsl_err_clear(&err);
    assert_int_equal(err.code, TSL_EOK);
    char big[4096];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = 0;
    tsl_fail(&err, TSL_EIO, "%s", big);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void bug_aborts(void **state) {
    (void)state;
    TSL_BUG_ON(false, "never");
    pid_t child = fork();
    if (child == 0) {
        close(2);
        open("/dev/null", O_WRONLY);
        signal(SIGABRT, SIG_DFL);
        TSL_BUG_ON(1 + 1 == 2, "arithmetic works: %d", 2);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void memory_is_zeroed(void **state) {
    (void)state;
    char *p = tsl_alloc(100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(p[i], 0);
    p = tsl_realloc(p, 200);
    tsl_free(p);
    char *s = tsl_strndup("teasel", 3);
    assert_string_equal(s, "tea");
    tsl_free(s);
    s = tsl_asprintf("%s-%d", "a", 7);
    assert_string_equal(s, "a-7");
    tsl_free(s);
    void *empty = tsl_alloc(0);
    assert_non_null(empty);
    tsl_free(empty);
}

struct pair {
    int a, b;
};

static void vec_grows(void **state) {
    (void)state;
    typedef TSL_VEC(struct pair) pairs;
    pairs v = {0};
    pairs *p = &v; // the macros must work through a pointer
    for (int i = 0; i < 1000; i++)
        tsl_vec_push(p, (struct pair){i, -i});
    assert_int_equal(v.len, 1000);
    assert_int_equal(tsl_vec_last(p).a, 999);
    tsl_vec_push(p, p->data[3]); // an element of itself, across a growth
    assert_int_equal(tsl_vec_pop(p).a, 3);
    assert_int_equal(v.len, 1000);
    tsl_vec_clear(p);
    assert_int_equal(v.len, 0);
    assert_true(v.cap >= 1000);
    tsl_vec_drop(p);
    assert_null(v.data);
    tsl_vec_reserve(&v, 5);
    assert_true(v.cap >= 5 && v.len == 0);
    tsl_vec_drop(&v);
}

static void buf_builds(void **state) {
    (void)state;
    tsl_buf b = {0};
    assert_string_equal(tsl_buf_text(&b), "");
    for (int i = 0; i < 100; i++)
        tsl_buf_add(&b, "%d,", i);
    assert_int_equal(b.len, strlen(b.data));
    assert_int_equal(strncmp(b.data, "0,1,2,", 6), 0);
    tsl_buf_clear(&b);
    tsl_buf_puts(&b, "x");
    tsl_buf_pad(&b, 2);
    tsl_buf_putc(&b, 'y');
    char *s = tsl_buf_take(&b);
    assert_string_equal(s, "x  y");
    assert_null(b.data);
    tsl_free(s);
    s = tsl_buf_take(&b);
    assert_string_equal(s, "");
    tsl_free(s);
}

// ---------------------------------------------------------------- rng, set, hash, num

static void rng_is_fixed_and_even(void **state) {
    (void)state;
    tsl_rng a, b;
    tsl_rng_init(&a, 0);
    // xoshiro256** seeded by splitmix64(0): the numbers every other implementation gives.
    assert_true(tsl_rng_next(&a) == 0x99ec5f36cb75f2b4u);
    assert_true(tsl_rng_next(&a) == 0xbf6e1f784956452au);
    tsl_rng_init(&a, 42);
    tsl_rng_init(&b, 42);
    unsigned count[6] = {0};
    for (int i = 0; i < 60000; i++) {
        uint64_t x = tsl_rng_below(&a, 6);
        assert_true(x == tsl_rng_below(&b, 6));
        assert_true(x < 6);
        count[x]++;
    }
    for (int i = 0; i < 6; i++)
        assert_in_range(count[i], 9500, 10500);
    for (int i = 0; i < 100; i++)
        assert_true(tsl_rng_below(&a, 1) == 0);
}

// The naive twin of a set of numbers below 4096 is an array of bool.
static void set_is_a_set(void **state) {
    (void)state;
    tsl_set set = {0};
    bool twin[4096] = {0};
    tsl_rng rng;
    tsl_rng_init(&rng, 1);
    size_t len = 0;
    assert_false(tsl_set_has(&set, 7));
    for (int i = 0; i < 20000; i++) {
        uint64_t x = tsl_rng_below(&rng, 4096);
        assert_int_equal(tsl_set_has(&set, x), twin[x]);
        assert_int_equal(tsl_set_insert(&set, x), !twin[x]);
        len += !twin[x];
        twin[x] = true;
        assert_int_equal(set.len, len);
    }
    tsl_set_clear(&set);
    assert_false(tsl_set_has(&set, 0));
    assert_true(tsl_set_insert(&set, 0) && !tsl_set_insert(&set, 0));
    assert_true(tsl_set_insert(&set, UINT64_MAX) && tsl_set_has(&set, UINT64_MAX));
    tsl_set_drop(&set);
}

// That of a map is an array.
static void map_is_a_map(void **state) {
    (void)state;
    tsl_map map = {0};
    tsl_rng rng;
    static uint64_t twin[4096]; // 0: not in
    size_t len = 0;
    tsl_rng_init(&rng, 7);
    assert_null(tsl_map_get(&map, 7));
    for (uint64_t i = 1; i < 20000; i++) {
        uint64_t key = tsl_rng_below(&rng, 4096);
        bool fresh;
        const uint64_t *had = tsl_map_get(&map, key);
        assert_true(twin[key] ? had && *had == twin[key] : !had);
        uint64_t *value = tsl_map_put(&map, key, &fresh);
        assert_int_equal(fresh, !had);
        assert_int_equal(*value, twin[key]);
        *value = twin[key] = i;
        len += fresh;
        assert_int_equal(map.len, len);
    }
    *tsl_map_put(&map, UINT64_MAX, NULL) = 3;
    assert_int_equal(*tsl_map_get(&map, UINT64_MAX), 3);
    tsl_map_drop(&map);
    assert_null(tsl_map_get(&map, 0));
}

static void hash_depends_on_all(void **state) {
    (void)state;
    assert_true(tsl_hash("", 0) == 0x2d06800538d394c2u); // XXH3_64bits of nothing
    assert_true(tsl_hash("ab", 2) != tsl_hash("ba", 2));
    assert_true(tsl_hash_more(1, "a", 1) != tsl_hash_more(2, "a", 1));
    assert_true(tsl_hash_u64(1, 2) != tsl_hash_u64(2, 1));
}

static enum tsl_num u64(const char *s, uint64_t *out) { return tsl_num_u64(s, strlen(s), out); }

static void numbers_are_strict(void **state) {
    (void)state;
    uint64_t x = 0;
    double d = 0;
    assert_true(u64("18446744073709551615", &x) == TSL_NUM_OK && x == UINT64_MAX);
    assert_true(u64("007", &x) == TSL_NUM_OK && x == 7);
    assert_int_equal(u64("18446744073709551616", &x), TSL_NUM_OVERFLOW);
    assert_int_equal(u64("99999999999999999999999999", &x), TSL_NUM_OVERFLOW);
    assert_int_equal(u64("-1", &x), TSL_NUM_NEGATIVE);
    const char *junk[] = {"", " 1", "1 ", "0x1", "1k", "+1", "-", "--1", "1.5", "x"};
    for (size_t i = 0; i < sizeof junk / sizeof *junk; i++)
        assert_int_equal(u64(junk[i], &x), TSL_NUM_JUNK);
    assert_true(tsl_num_hex("fF", 2, &x) == TSL_NUM_OK && x == 255);
    assert_int_equal(tsl_num_hex("fg", 2, &x), TSL_NUM_JUNK);
    assert_true(tsl_num_seconds("250ms", &d) == TSL_NUM_OK && d > 0.2499 && d < 0.2501);
    assert_true(tsl_num_seconds("1.5m", &d) == TSL_NUM_OK && d > 89.9 && d < 90.1);
    assert_true(tsl_num_seconds("0", &d) == TSL_NUM_OK && d >= 0 && d <= 0);
    assert_int_equal(tsl_num_seconds("-1s", &d), TSL_NUM_NEGATIVE);
    assert_int_equal(tsl_num_seconds("1e9", &d), TSL_NUM_JUNK);
    assert_int_equal(tsl_num_seconds("inf", &d), TSL_NUM_JUNK);
    assert_int_equal(tsl_num_seconds("s", &d), TSL_NUM_JUNK);
    assert_int_equal(tsl_num_seconds("99999999999h", &d), TSL_NUM_OVERFLOW);
}

// ---------------------------------------------------------------- files

static int temp_dir(void **state) {
    char *dir = tsl_strdup("/tmp/teasel-test-XXXXXX");
    *state = dir;
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state) {
    char *command = tsl_asprintf("rm -rf '%s'", (char *)*state);
    int rc = system(command);
    tsl_free(command);
    tsl_free(*state);
    return rc;
}

static unsigned files_in(const char *dir) {
    char *command = tsl_asprintf("ls -A '%s' | wc -l", dir);
    FILE *p = popen(command, "r");
    unsigned n = 99;
    assert_int_equal(fscanf(p, "%u", &n), 1);
    pclose(p);
    tsl_free(command);
    return n;
}

static void file_round_trip(void **state) {
    char *path = tsl_asprintf("%s/a", (char *)*state);
    char *link = tsl_asprintf("%s/b", (char *)*state);
    tsl_err err = {0};
    char *bytes = NULL;
    size_t len = 0;
    char data[200000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * 7);
    assert_true(tsl_file_write_atomic(path, data, sizeof data, &err));
    assert_true(tsl_file_read(path, &bytes, &len, &err));
    assert_int_equal(len, sizeof data);
    assert_memory_equal(bytes, data, len);
    assert_int_equal(bytes[len], 0);
    tsl_free(bytes);
    assert_false(tsl_file_read_max(path, 100, &bytes, &len, &err));
    assert_int_equal(err.code, TSL_ELIMIT);

    // A link is replaced and what it names is left alone; an existing mode is kept, nothing else
    // left behind.
    struct stat st;
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("a", link), 0);
    assert_true(tsl_file_write_atomic(link, "new", 3, &err));
    assert_true(lstat(link, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 3);
    assert_true(stat(path, &st) == 0 && st.st_size == sizeof data);
    assert_true(tsl_file_write_atomic(path, "new", 3, &err));
    assert_true(stat(path, &st) == 0 && st.st_size == 3 && (st.st_mode & 0777) == 0640);
    assert_int_equal(files_in(*state), 2);
    tsl_free(path);
    tsl_free(link);
}

static void file_empty_and_missing(void **state) {
    char *path = tsl_asprintf("%s/none", (char *)*state);
    tsl_err err = {0};
    char *bytes = NULL;
    size_t len = 1;
    assert_false(tsl_file_read(path, &bytes, &len, &err));
    assert_int_equal(err.code, TSL_EIO);
    assert_non_null(strstr(err.text, path));
    tsl_err_clear(&err);
    assert_false(tsl_file_read(*state, &bytes, &len, &err)); // a folder
    tsl_err_clear(&err);
    assert_true(tsl_file_write_atomic(path, "", 0, &err));
    assert_true(tsl_file_read(path, &bytes, &len, &err));
    assert_true(len == 0 && bytes[0] == 0);
    tsl_free(bytes);
    tsl_free(path);
    assert_false(tsl_file_write_atomic("/nonexistent/x", "", 0, &err));
    tsl_err_clear(&err);
    assert_true(tsl_file_write_atomic("/dev/null", "x", 1, &err)); // in place, not renamed over
    struct stat st;
    assert_true(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
}

// A limit on the file size stands in for a full disk: the write fails half way.
static void file_write_fails_cleanly(void **state) {
    char *path = tsl_asprintf("%s/a", (char *)*state);
    tsl_err err = {0};
    assert_true(tsl_file_write_atomic(path, "old", 3, &err));
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096});
        char *data = tsl_alloc(100000);
        bool ok = tsl_file_write_atomic(path, data, 100000, &err);
        _exit(!ok && err.code == TSL_EIO ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    char *bytes = NULL;
    size_t len = 0;
    assert_true(tsl_file_read(path, &bytes, &len, &err));
    assert_string_equal(bytes, "old");
    assert_int_equal(files_in(*state), 1);
    tsl_free(bytes);
    tsl_free(path);
    if (access("/dev/full", W_OK) == 0) {
        assert_false(tsl_file_write_atomic("/dev/full", "x", 1, &err));
        assert_non_null(strstr(err.text, "no space left"));
    }
}

// ---------------------------------------------------------------- options

typedef struct settings {
    bool keep_going, verbose;
    uint64_t seed, jobs;
    const char *json;
    double time;
    unsigned strategy, order;
    tsl_words defines, words, after;
    tsl_err err;
} settings;

static const char *const strategies[] = {"dfs", "dpor", "optimal", NULL};
static const char *const orders[] = {"fixed", "shuffled", NULL};

static bool parse(settings *s, const char *line, tsl_buf *help) {
    tsl_opt opts[] = {
        TSL_OPT_GROUP("Search"),
        TSL_OPT_U64("seed", 's', "N", &s->seed, "seed of every random choice"),
        TSL_OPT_RANGE("jobs", 'j', "N", &s->jobs, 1, 64, "workers"),
        TSL_OPT_FLAG("keep-going", 'k', &s->keep_going, "do not stop at the first bug"),
        TSL_OPT_FLAG("verbose", 'v', &s->verbose, "say more"),
        TSL_OPT_SECONDS("time", 't', "TIME", &s->time, "stop after this long"),
        TSL_OPT_CHOICE("strategy", 0, "NAME", &s->strategy, strategies, "how to search"),
        TSL_OPT_EXPLAINED_CHOICE("order", 0, "NAME", &s->order, orders, "what comes first"),
        TSL_OPT_GROUP("Output"),
        TSL_OPT_STRING("json", 0, "FILE", &s->json,
                       "write the result with names that are a promise to scripts, so that they "
                       "can depend on them"),
        TSL_OPT_LIST("define", 'D', "NAME", &s->defines, "passed to the compiler"),
        TSL_OPT_END,
    };
    if (help)
        tsl_opt_help(opts, help);
    static char copy[512]; // options borrow from argv
    char *argv[32];
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    tsl_err_clear(&s->err);
    return tsl_opt_parse(opts, argc, argv, &s->words, &s->after, &s->err);
}

static void forget(settings *s) {
    tsl_vec_drop(&s->defines);
    tsl_vec_drop(&s->words);
    tsl_vec_drop(&s->after);
}

static void options_all_spellings(void **state) {
    (void)state;
    settings s = {.keep_going = false};
    assert_true(parse(&s,
                      "prog.c --seed=42 -j 4 -kv --time 1.5m --strategy optimal --json out "
                      "-DA -D B --define=C other - -- --seed x",
                      NULL));
    assert_true(s.seed == 42 && s.jobs == 4 && s.keep_going && s.verbose);
    assert_true(s.time > 89 && s.time < 91);
    assert_int_equal(s.strategy, 2);
    assert_string_equal(s.json, "out");
    assert_int_equal(s.defines.len, 3);
    assert_string_equal(s.defines.data[2], "C");
    assert_int_equal(s.words.len, 3);
    assert_string_equal(s.words.data[1], "other");
    assert_int_equal(s.after.len, 2);
    assert_string_equal(s.after.data[0], "--seed");
    assert_true(parse(&s, "--no-keep-going --seed 1 --seed 2 --json=", NULL));
    assert_true(!s.keep_going && s.seed == 2);
    assert_string_equal(s.json, "");
    assert_true(parse(&s, "", NULL));
    forget(&s);
}

static void options_refused(void **state) {
    (void)state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"--sed 1", "--seed"},
        {"--statregy dfs", "--strategy"},
        {"--zzzzzzzzzzzz", "--help"},
        {"-z", "-z"},
        {"--seed", "needs a value"},
        {"--seed=", "not a number"},
        {"--seed -1", "negative"},
        {"--seed 1x", "not a number"},
        {"--seed 18446744073709551616", "too large"},
        {"--jobs 0", "least is 1"},
        {"--jobs 65", "most is 64"},
        {"--keep-going=yes", "no value"},
        {"--no-seed", "unknown option --no-seed"},
        {"--time soon", "250ms"},
        {"--strategy best", "dfs, dpor, optimal"},
        {"--order best", "fixed, shuffled"},
        {"--=x", "unknown option"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        settings s = {.keep_going = false};
        assert_false(parse(&s, cases[i].line, NULL));
        assert_int_equal(s.err.code, TSL_EUSAGE);
        if (!strstr(s.err.text, cases[i].says))
            fail_msg("%s: '%s' does not say '%s'", cases[i].line, s.err.text, cases[i].says);
        forget(&s);
    }
}

static void options_help(void **state) {
    (void)state;
    settings s = {.keep_going = false};
    tsl_buf help = {0};
    parse(&s, "", &help);
    const char *text = tsl_buf_text(&help);
    assert_non_null(strstr(text, "Search:\n"));
    assert_non_null(strstr(text, "  -s, --seed=N"));
    assert_non_null(strstr(text, "how to search: dfs, dpor, optimal"));
    assert_non_null(strstr(text, "what comes first\n"));
    assert_null(strstr(text, "shuffled"));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    tsl_buf_drop(&help);
    forget(&s);
    assert_int_equal(tsl_opt_distance("seed", "seed"), 0);
    assert_int_equal(tsl_opt_distance("", "abc"), 3);
    assert_int_equal(tsl_opt_distance("sede", "seed"), 1);
    assert_int_equal(tsl_opt_distance("kitten", "sitting"), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_fills_once),
        cmocka_unit_test(bug_aborts),
        cmocka_unit_test(memory_is_zeroed),
        cmocka_unit_test(vec_grows),
        cmocka_unit_test(buf_builds),
        cmocka_unit_test(rng_is_fixed_and_even),
        cmocka_unit_test(set_is_a_set),
        cmocka_unit_test(map_is_a_map),
        cmocka_unit_test(hash_depends_on_all),
        cmocka_unit_test(numbers_are_strict),
        cmocka_unit_test_setup_teardown(file_round_trip, temp_dir, remove_dir),
        cmocka_unit_test_setup_teardown(file_empty_and_missing, temp_dir, remove_dir),
        cmocka_unit_test_setup_teardown(file_write_fails_cleanly, temp_dir, remove_dir),
        cmocka_unit_test(options_all_spellings),
        cmocka_unit_test(options_refused),
        cmocka_unit_test(options_help),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
