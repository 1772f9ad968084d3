// teasel report: writes what earlier tests found out in formats of other tools.
#include <stdio.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/kept.h"
#include "report/chart.h"
#include "report/evenness.h"

typedef struct settings {
    bool help;
    const char *coverage, *sampling, *out;
    tsl_words words;
} settings;

static bool parse(settings *s, int argc, char **argv, tsl_err *err) {
    *s = (settings){.out = "teasel-out"};
    tsl_opt opts[] = {
        TSL_OPT_OUTPUT("coverage", 0, &s->coverage, "write an lcov tracefile there"),
        TSL_OPT_OUTPUT("sampling", 0, &s->sampling,
                       "draw what samplers came to there, as SVG, and print numbers"),
        TSL_OPT_STRING("out", 'o', "DIR", &s->out, "where teasel test left it (teasel-out)"),
        TSL_OPT_FLAG("help", 'h', &s->help, "this text"),
        TSL_OPT_END,
    };
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &s->words, NULL, err))
        return false;
    if (s->help) {
        tsl_cli_help(
            opts,
            "usage: teasel report --coverage FILE|--sampling FILE [options] [PROGRAM...]\n\n"
            "Writes what the last `teasel test` of each program covered: lines, branches and\n"
            "functions, put together for all programs, or for those named; or how often its\n"
            "samplers came to each partial order, and when to something new.\n\n",
            "\n"
            "  teasel report --coverage cover.info\n"
            "  genhtml --branch-coverage -o html cover.info\n"
            "  teasel report --sampling sampling.svg\n");
        return true;
    }
    if (!s->coverage && !s->sampling)
        return tsl_fail(err, TSL_EUSAGE,
                        "nothing to report; say `teasel report --coverage FILE` or "
                        "`teasel report --sampling FILE`");
    return true;
}

static bool report_coverage(const settings *s, tsl_err *err) {
    tsl_lcov lcov = {0};
    bool ok = tsl_kept_read_coverage(s->out, &s->words, &lcov, err) &&
              tsl_lcov_write(s->coverage, &lcov, err);
    tsl_lcov_drop(&lcov);
    return ok;
}

static bool print_numbers(const tsl_sampled_programs *programs, tsl_err *err) {
    tsl_buf text = {0};
    for (size_t i = 0; i < programs->len; i++)
        if (programs->data[i].list.len) {
            if (text.len)
                tsl_buf_putc(&text, '\n');
            tsl_evenness_text(&programs->data[i], &text);
        }
    fputs(tsl_buf_text(&text), stdout);
    tsl_buf_drop(&text);
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           tsl_fail(err, TSL_EIO, "standard output could not be written");
}

static bool report_sampling(const settings *s, tsl_err *err) {
    tsl_sampled_programs programs = {0};
    tsl_buf text = {0};
    bool ok = tsl_kept_read_sampling(s->out, &s->words, &programs, err);
    if (ok) {
        tsl_chart_format(&programs, &text);
        ok = tsl_file_write_text(s->sampling, &text, err) && print_numbers(&programs, err);
    }
    tsl_sampled_programs_drop(&programs);
    return ok;
}

int tsl_cli_report(int argc, char **argv) {
    settings s;
    tsl_err err = {0};
    if (!parse(&s, argc, argv, &err))
        return tsl_cli_error(&err);
    bool ok = s.help || ((!s.coverage || report_coverage(&s, &err)) &&
                         (!s.sampling || report_sampling(&s, &err)));
    tsl_vec_drop(&s.words);
    return ok ? TSL_EXIT_CLEAN : tsl_cli_error(&err);
}
