// What a campaign found; see summary.h.
#include "report/summary.h"

#include <inttypes.h>

double tsl_summary_rate(const tsl_summary *summary) {
    return summary->seconds > 0 ? (double)summary->executions / summary->seconds : 0;
}

static void limit(tsl_buf *out, uint64_t count, const char *what) {
    if (count)
        tsl_buf_add(out, "  %" PRIu64 " %s %s\n", count, count == 1 ? "run" : "runs", what);
}

void tsl_summary_text(const tsl_summary *summary, tsl_buf *out) {
    size_t bugs = summary->bugs ? summary->bugs->len : 0;
    tsl_buf_add(out,
                "%s: %" PRIu64 " executions in %.1f s (%.0f per second), strategy %s, seed %" PRIu64
                "\n",
                summary->verdict, summary->executions, summary->seconds, tsl_summary_rate(summary),
                summary->strategy, summary->seed);
    tsl_buf_add(out, "  %" PRIu64 " distinct interleavings", summary->interleavings);
    if (summary->has_traces)
        tsl_buf_add(out, ", %" PRIu64 " distinct partial orders", summary->traces);
    if (summary->blocked)
        tsl_buf_add(out, ", %" PRIu64 " runs cut as redundant", summary->blocked);
    tsl_buf_add(out, "\n  %zu %s\n", bugs, bugs == 1 ? "bug" : "bugs");
    limit(out, summary->step_limits, "stopped at the step limit (--steps)");
    limit(out, summary->time_limits, "stopped at the time limit of one run (--run-seconds)");
    limit(out, summary->diverged, "could not follow their schedule");
}
