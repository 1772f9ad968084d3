// The status line of `teasel test`: how far the search has come.
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/test.h"
#include "explore/feedback.h"

enum { EVERY = 64 }; // runs after which the clock is looked at
#define SECONDS_ON_TERMINAL 0.2
#define SECONDS_IN_LOG 5.0

static void add_runs(const tsl_test *t, tsl_buf *line) {
    const tsl_counts *n = &t->counts;
    double left = tsl_campaign_left(&t->campaign);
    tsl_buf_add(line, "%s: %lu runs, %.0f a second, %lu%s distinct", t->kind->name,
                (unsigned long)n->executions,
                n->seconds > 0 ? (double)n->executions / n->seconds : 0,
                (unsigned long)n->interleavings, n->interleavings_cut ? "+" : "");
    if (left > 0)
        tsl_buf_add(line, left < 1e6 ? ", about %.0f left" : ", about %.1e left", left);
}

static void add_found(const tsl_test *t, tsl_buf *line) {
    size_t reached, branches, bugs = t->bugs.len;
    tsl_coverage_branches(t->session.coverage, &reached, &branches);
    tsl_buf_add(line, ", %zu/%zu branches, %zu bug%s%s", reached, branches, bugs,
                bugs == 1 ? "" : "s", t->suspects.list.len ? ", races" : "");
}

// When did samples last show something new?
static void add_news(const tsl_feedback *f, tsl_buf *line) {
    if (f && f->runs)
        tsl_buf_add(line, ", new pair %lu ago, new order %lu ago",
                    (unsigned long)(f->runs - f->last_pair),
                    (unsigned long)(f->runs - f->last_order));
}

// A line that wraps could not be overwritten.
static void print(const tsl_status *status, tsl_buf *line) {
    struct winsize size = {0};
    if (status->is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
        line->len >= size.ws_col)
        line->len = size.ws_col - 1u;
    fprintf(stderr, status->is_terminal ? "\r\033[K%s" : "%s\n", tsl_buf_text(line));
}

static bool is_due(tsl_status *status, uint64_t runs) {
    if (status->is_quiet || runs % EVERY != 0)
        return false;
    double now = tsl_clock_now();
    if (status->last == 0)
        status->last = now;
    if (now - status->last < (status->is_terminal ? SECONDS_ON_TERMINAL : SECONDS_IN_LOG))
        return false;
    status->last = now;
    return true;
}

void tsl_status_show(tsl_status *status, const tsl_test *t) {
    if (!is_due(status, t->counts.executions))
        return;
    tsl_buf line = {0};
    add_runs(t, &line);
    add_found(t, &line);
    add_news(t->campaign.strategy->feedback, &line);
    print(status, &line);
    tsl_buf_drop(&line);
}

void tsl_status_clear(const tsl_status *status) {
    if (status->is_terminal && !status->is_quiet)
        fputs("\r\033[K", stderr);
}
