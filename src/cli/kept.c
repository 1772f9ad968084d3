#include "cli/kept.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define ENDING ".coverage"

char *tsl_kept_path(const char *folder, const char *program) {
    const char *base = strrchr(program, '/');
    return tsl_asprintf("%s/%s" ENDING, folder, base ? base + 1 : program);
}

static bool read_one(const char *path, tsl_lcov *lcov, tsl_err *err) {
    char *text;
    size_t len;
    if (!tsl_file_read(path, &text, &len, err))
        return false;
    bool ok = tsl_lcov_parse(path, text, len, lcov, err);
    tsl_free(text);
    return ok;
}

static bool read_named(const char *folder, const tsl_words *programs, tsl_lcov *lcov,
                       tsl_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < programs->len; i++) {
        char *path = tsl_kept_path(folder, programs->data[i]);
        ok = access(path, F_OK) == 0
                 ? read_one(path, lcov, err)
                 : tsl_fail(err, TSL_EUSAGE,
                            "nothing is known of %s in %s: run `teasel test %s` first, or name its "
                            "folder with --out",
                            programs->data[i], folder, programs->data[i]);
        tsl_free(path);
    }
    return ok;
}

static int is_kept(const struct dirent *entry) {
    size_t len = strlen(entry->d_name), ending = strlen(ENDING);
    return len > ending && strcmp(entry->d_name + len - ending, ENDING) == 0;
}

bool tsl_kept_read(const char *folder, const tsl_words *programs, tsl_lcov *lcov, tsl_err *err) {
    if (programs->len)
        return read_named(folder, programs, lcov, err);
    struct dirent **entries;
    int n = scandir(folder, &entries, is_kept, alphasort);
    if (n < 0 && errno != ENOENT)
        return tsl_fail(err, TSL_EIO, "%s: %s", folder, strerror(errno));
    if (n <= 0) {
        if (n == 0)
            free(entries);
        return tsl_fail(err, TSL_EUSAGE,
                        "nothing was covered yet in %s: run `teasel test PROGRAM` first, or name "
                        "its folder with --out",
                        folder);
    }
    bool ok = true;
    for (int i = 0; i < n; i++) {
        char *path = tsl_asprintf("%s/%s", folder, entries[i]->d_name);
        ok = ok && read_one(path, lcov, err);
        tsl_free(path);
        free(entries[i]);
    }
    free(entries);
    return ok;
}
