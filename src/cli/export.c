// teasel export: what a campaign found out about inputs, for the user's own tools.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "report/ctest.h"
#include "report/path.h"

typedef struct settings {
    const char *inputs, *c, *out;
    bool help;
    tsl_words words;
} settings;

static void print_help(const tsl_opt *opts) {
    tsl_cli_help(
        opts,
        "usage: teasel export [options] [FILE.paths]\n\n"
        "Writes the inputs of each path that `teasel test` has taken through a program: as\n"
        "files, or as a C test that replays them without Teasel.  Without FILE.paths the\n"
        "only one in teasel-out is used.\n\n",
        "\n"
        "A test is compiled together with the program:\n\n"
        "  teasel test prog.c --keep-going\n"
        "  teasel export --c paths.c\n"
        "  cc -DTEASEL_EXPORTED $(pkg-config --cflags teasel) prog.c paths.c -pthread\n"
        "  ./a.out\n\n"
        "It prints TAP: a path is ok if it ends as recorded, or fails again where it failed.\n"
        "Schedules of threads are not replayed; see `teasel replay` for those.\n\n"
        "Exit status: 0 written, 2 usage or tool error.\n");
}

static bool parse(settings *s, int argc, char **argv, tsl_err *err) {
    *s = (settings){.out = "teasel-out"};
    tsl_opt opts[] = {
        TSL_OPT_STRING("inputs", 0, "DIR", &s->inputs,
                       "per path path-NNNN.txt, and path-NNNN.NAME with the bytes of each input"),
        TSL_OPT_OUTPUT("c", 0, &s->c, "one C file with all paths, and what replays them"),
        TSL_OPT_STRING("out", 'o', "DIR", &s->out, "where to look for FILE.paths (teasel-out)"),
        TSL_OPT_FLAG("help", 'h', &s->help, "this text"),
        TSL_OPT_END,
    };
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &s->words, NULL, err))
        return false;
    if (s->help) {
        print_help(opts);
        return true;
    }
    if (!s->inputs && !s->c)
        return tsl_fail(err, TSL_EUSAGE, "nothing to write; say --inputs DIR, --c FILE or both");
    if (s->words.len > 1)
        return tsl_fail(err, TSL_EUSAGE, "more than one file given (%s and %s); export one by one",
                        s->words.data[0], s->words.data[1]);
    return true;
}

// ---------------------------------------------------------------- which file

static int is_paths_file(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 6 && strcmp(entry->d_name + n - 6, ".paths") == 0;
}

// Sorted by name, so that messages do not depend on the order in which the folder lists them.
static char *find_only(const char *dir, tsl_err *err) {
    struct dirent **found = NULL;
    char *path = NULL;
    int n = scandir(dir, &found, is_paths_file, alphasort);
    if (n == 1)
        path = tsl_asprintf("%s/%s", dir, found[0]->d_name);
    else if (n > 1)
        tsl_fail(err, TSL_EUSAGE, "%s holds several (%s, %s%s); name the one to export", dir,
                 found[0]->d_name, found[1]->d_name, n > 2 ? ", ..." : "");
    else if (n == 0)
        tsl_fail(err, TSL_EUSAGE,
                 "no FILE.paths in %s; run `teasel test` on a program that asks for inputs first",
                 dir);
    else
        tsl_fail(err, TSL_EIO,
                 "can't read %s: %s; run `teasel test` on a program that asks for inputs "
                 "first, or name its FILE.paths",
                 dir, strerror(errno));
    for (int i = 0; i < n; i++)
        free(found[i]);
    free(found);
    return path;
}

static bool read_paths(const settings *s, tsl_paths *paths, tsl_err *err) {
    char *path = s->words.len ? tsl_strdup(s->words.data[0]) : find_only(s->out, err);
    bool ok = path && tsl_paths_read(path, paths, err);
    if (ok && !paths->list.len)
        ok = tsl_fail(err, TSL_EINPUT,
                      "%s has no paths: no run met all assumptions, or none came to an end", path);
    tsl_free(path);
    return ok;
}

// ---------------------------------------------------------------- writing

// The files of two exports in one folder could not be told apart.
static bool is_unused(const char *dir, tsl_err *err) {
    DIR *folder = opendir(dir);
    if (!folder)
        return tsl_fail(err, TSL_EIO, "can't read %s: %s", dir, strerror(errno));
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(folder));)
        ok = strncmp(entry->d_name, "path-", 5) != 0;
    closedir(folder);
    return ok || tsl_fail(err, TSL_EUSAGE,
                          "%s holds files of an earlier export (path-...); remove them or name "
                          "another folder",
                          dir);
}

static bool write_path(const char *dir, const tsl_paths *paths, size_t i, tsl_err *err) {
    const tsl_path *path = &paths->list.data[i];
    tsl_texts files = {0};
    tsl_buf text = {0};
    tsl_path_files_of(path, &files);
    tsl_path_text(paths, i, &files, &text);
    char *name = tsl_asprintf("%s/path-%04zu.txt", dir, i + 1);
    bool ok = tsl_file_write_text(name, &text, err);
    for (size_t k = 0; ok && k < path->inputs.len; k++) {
        tsl_free(name);
        name = tsl_asprintf("%s/path-%04zu.%s", dir, i + 1, files.data[k]);
        ok =
            tsl_file_write_atomic(name, path->inputs.data[k].bytes, path->inputs.data[k].size, err);
    }
    tsl_free(name);
    tsl_texts_drop(&files);
    return ok;
}

static bool write_inputs(const char *dir, const tsl_paths *paths, tsl_err *err) {
    if (!tsl_file_make_folder(dir, err) || !is_unused(dir, err))
        return false;
    for (size_t i = 0; i < paths->list.len; i++)
        if (!write_path(dir, paths, i, err))
            return false;
    return true;
}

static bool write_c(const char *file, const tsl_paths *paths, tsl_err *err) {
    tsl_buf text = {0};
    tsl_ctest(paths, &text);
    return tsl_file_write_text(file, &text, err);
}

// Prints to stderr, because the C file may go to /dev/stdout.
static void tell(const settings *s, const tsl_paths *paths) {
    fprintf(stderr, "%zu path%s of %s:", paths->list.len, paths->list.len == 1 ? "" : "s",
            paths->program);
    if (s->inputs)
        fprintf(stderr, " %s/path-*", s->inputs);
    if (s->c)
        fprintf(stderr, "%s %s", s->inputs ? "," : "", s->c);
    fputc('\n', stderr);
    if (paths->left_out)
        fprintf(stderr, "%lu more were not kept: there was no room for them\n",
                (unsigned long)paths->left_out);
}

int tsl_cli_export(int argc, char **argv) {
    settings s;
    tsl_err err = {0};
    tsl_paths paths = {0};
    if (!parse(&s, argc, argv, &err))
        return tsl_cli_error(&err);
    int code = TSL_EXIT_CLEAN;
    if (s.help)
        return code;
    if (!read_paths(&s, &paths, &err) || (s.inputs && !write_inputs(s.inputs, &paths, &err)) ||
        (s.c && !write_c(s.c, &paths, &err)))
        code = tsl_cli_error(&err);
    else
        tell(&s, &paths);
    tsl_paths_drop(&paths);
    tsl_vec_drop(&s.words);
    return code;
}
