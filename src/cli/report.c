// teasel report: what earlier tests found out, for other tools.
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/opt.h"
#include "cli/cli.h"
#include "cli/kept.h"

typedef struct settings {
    bool help;
    const char *coverage, *out;
    tsl_words words;
} settings;

static bool parse(settings *s, int argc, char **argv, tsl_err *err) {
    *s = (settings){.out = "teasel-out"};
    tsl_opt opts[] = {
        TSL_OPT_STRING("coverage", 0, "FILE", &s->coverage,
                       "write an lcov tracefile there, - for standard output"),
        TSL_OPT_STRING("out", 'o', "DIR", &s->out, "where teasel test left it (teasel-out)"),
        TSL_OPT_FLAG("help", 'h', &s->help, "this text"),
        TSL_OPT_END,
    };
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &s->words, NULL, err))
        return false;
    if (s->help) {
        tsl_buf text = {0};
        tsl_opt_help(opts, &text);
        printf("usage: teasel report --coverage FILE [options] [PROGRAM...]\n\n"
               "Writes what the last `teasel test` of each program covered: lines, branches and\n"
               "functions, put together for all programs, or for those named.\n\n%s\n"
               "  teasel report --coverage cover.info\n"
               "  genhtml --branch-coverage -o html cover.info\n",
               tsl_buf_text(&text));
        tsl_buf_drop(&text);
        return true;
    }
    if (!s->coverage)
        return tsl_fail(err, TSL_EUSAGE, "nothing to report; say `teasel report --coverage FILE`");
    return true;
}

static int write_lcov(const char *path, tsl_lcov *lcov, tsl_err *err) {
    if (strcmp(path, "-") != 0)
        return tsl_lcov_write(path, lcov, err) ? TSL_EXIT_CLEAN : tsl_cli_error(err);
    tsl_buf text = {0};
    tsl_lcov_format(lcov, &text);
    fwrite(tsl_buf_text(&text), 1, text.len, stdout);
    tsl_buf_drop(&text);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return TSL_EXIT_CLEAN;
    tsl_fail(err, TSL_EIO, "standard output could not be written");
    return tsl_cli_error(err);
}

int tsl_cli_report(int argc, char **argv) {
    settings s;
    tsl_err err = {0};
    tsl_lcov lcov = {0};
    if (!parse(&s, argc, argv, &err))
        return tsl_cli_error(&err);
    if (s.help)
        return TSL_EXIT_CLEAN;
    int code = tsl_kept_read(s.out, &s.words, &lcov, &err) ? write_lcov(s.coverage, &lcov, &err)
                                                           : tsl_cli_error(&err);
    tsl_lcov_drop(&lcov);
    tsl_vec_drop(&s.words);
    return code;
}
