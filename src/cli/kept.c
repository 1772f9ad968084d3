// Writes and reads what is kept for `teasel report`; see kept.h.
#include "cli/kept.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

// A kind of file, and how it is read.
typedef struct kind {
    const char *ending;
    void *to;
    bool (*parse)(void *to, const char *path, const char *text, size_t len, tsl_err *err);
} kind;

static char *path_of(const char *folder, const char *program, const char *ending) {
    return tsl_asprintf("%s/%s%s", folder, tsl_file_base(program), ending);
}

bool tsl_kept_write(const char *folder, const char *program, const char *ending, tsl_buf *text,
                    tsl_err *err) {
    char *path = path_of(folder, program, ending);
    bool ok = tsl_file_make_folder(folder, err) && tsl_file_write_text(path, text, err);
    tsl_buf_drop(text);
    tsl_free(path);
    return ok;
}

// ---------------------------------------------------------------- files of a kind

static bool read_one(const char *path, const kind *k, tsl_err *err) {
    char *text;
    size_t len;
    if (!tsl_file_read(path, &text, &len, err))
        return false;
    bool ok = k->parse(k->to, path, text, len, err);
    tsl_free(text);
    return ok;
}

static bool read_named(const char *folder, const tsl_words *programs, const kind *k, tsl_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < programs->len; i++) {
        char *path = path_of(folder, programs->data[i], k->ending);
        ok = access(path, F_OK) == 0
                 ? read_one(path, k, err)
                 : tsl_fail(err, TSL_EUSAGE,
                            "nothing is known of %s in %s: run `teasel test %s` first, or name its "
                            "folder with --out",
                            programs->data[i], folder, programs->data[i]);
        tsl_free(path);
    }
    return ok;
}

static bool ends_with(const char *name, const char *ending) {
    size_t len = strlen(name), n = strlen(ending);
    return len > n && strcmp(name + len - n, ending) == 0;
}

// Reads the files of this kind in the order of their names.
static bool read_entries(const char *folder, struct dirent **entries, int n, const kind *k,
                         tsl_err *err) {
    bool ok = true, some = false;
    for (int i = 0; i < n; i++) {
        if (ok && ends_with(entries[i]->d_name, k->ending)) {
            char *path = tsl_asprintf("%s/%s", folder, entries[i]->d_name);
            ok = read_one(path, k, err);
            some = true;
            tsl_free(path);
        }
        free(entries[i]);
    }
    return some ? ok
                : tsl_fail(err, TSL_EUSAGE,
                           "nothing is kept yet in %s: run `teasel test PROGRAM` first, or name "
                           "its folder with --out",
                           folder);
}

static bool read_kind(const char *folder, const tsl_words *programs, const kind *k, tsl_err *err) {
    if (programs->len)
        return read_named(folder, programs, k, err);
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0 && errno != ENOENT)
        return tsl_fail(err, TSL_EIO, "%s: %s", folder, strerror(errno));
    bool ok = read_entries(folder, entries, n, k, err);
    if (n >= 0)
        free(entries);
    return ok;
}

// ---------------------------------------------------------------- kinds

static bool parse_coverage(void *to, const char *path, const char *text, size_t len, tsl_err *err) {
    return tsl_lcov_parse(path, text, len, to, err);
}

bool tsl_kept_read_coverage(const char *folder, const tsl_words *programs, tsl_lcov *lcov,
                            tsl_err *err) {
    kind k = {TSL_KEPT_COVERAGE, lcov, parse_coverage};
    return read_kind(folder, programs, &k, err);
}

static bool parse_sampling(void *to, const char *path, const char *text, size_t len, tsl_err *err) {
    tsl_sampled_programs *programs = to;
    tsl_samplers samplers = {0};
    if (!tsl_samplers_parse(path, text, len, &samplers, err))
        return false;
    const char *base = tsl_file_base(path);
    samplers.program = tsl_strndup(base, strlen(base) - strlen(TSL_KEPT_SAMPLING));
    tsl_vec_push(programs, samplers);
    return true;
}

bool tsl_kept_read_sampling(const char *folder, const tsl_words *programs,
                            tsl_sampled_programs *sampled, tsl_err *err) {
    kind k = {TSL_KEPT_SAMPLING, sampled, parse_sampling};
    if (!read_kind(folder, programs, &k, err))
        return false;
    const char *without = NULL;
    bool some = false;
    for (size_t i = 0; i < sampled->len; i++)
        if (sampled->data[i].list.len)
            some = true;
        else
            without = sampled->data[i].program;
    if (without && (programs->len || !some))
        return tsl_fail(err, TSL_EUSAGE,
                        "the last campaign on %s sampled nothing: run `teasel test %s --strategy "
                        "random`, or another sampler",
                        without, without);
    return true;
}
