// What a campaign found; see summary.h.
#include "report/summary.h"

#include <inttypes.h>

double tsl_summary_rate(const tsl_summary *summary) {
    return summary->seconds > 0 ? (double)summary->executions / summary->seconds : 0;
}

uint64_t tsl_summary_races(const tsl_summary *summary) {
    uint64_t n = 0;
    for (size_t i = 0; summary->bugs && i < summary->bugs->len; i++)
        n += summary->bugs->data[i]->is_race;
    return n;
}

// Races do not end the search: "bugs found, search complete".
static void verdict(const tsl_summary *summary, tsl_buf *out) {
    tsl_buf_puts(out, summary->verdict);
    if (!summary->claim || !summary->bugs || !summary->bugs->len ||
        tsl_claim_verdict(summary->claim) == TSL_VERDICT_STOPPED)
        return;
    tsl_buf_puts(out, ", search ");
    tsl_claim_words(summary->claim, out);
}

static void limit(tsl_buf *out, uint64_t count, const char *what) {
    if (count)
        tsl_buf_add(out, "  %" PRIu64 " %s %s\n", count, count == 1 ? "run" : "runs", what);
}

static void coverage(const tsl_summary *summary, tsl_buf *out) {
    if (!summary->coverage)
        return;
    tsl_cover_count n = tsl_coverage_count(summary->coverage);
    if (n.total_functions)
        tsl_buf_add(out, "  covered: %zu of %zu branches, %zu of %zu lines, %zu of %zu functions\n",
                    n.branches, n.total_branches, n.lines, n.total_lines, n.functions,
                    n.total_functions);
}

// When did sampling last find something new?
static void sampling(const tsl_summary *s, tsl_buf *out) {
    enum tsl_verdict v = s->claim ? tsl_claim_verdict(s->claim) : TSL_VERDICT_STOPPED;
    bool matters = v == TSL_VERDICT_SAMPLED || v == TSL_VERDICT_BOUNDED;
    if (!s->has_feedback || !s->sampled || !matters)
        return;
    tsl_buf_add(out,
                "  new behaviour: last new partial order in run %" PRIu64
                ", last new pair of places (%" PRIu64 " in a row, %" PRIu64
                " read from) in run %" PRIu64 "\n",
                s->last_order, s->successions, s->reads_from, s->last_pair);
}

void tsl_summary_text(const tsl_summary *summary, tsl_buf *out) {
    size_t bugs = summary->bugs ? summary->bugs->len : 0;
    uint64_t races = tsl_summary_races(summary);
    verdict(summary, out);
    tsl_buf_add(out,
                ": %" PRIu64 " executions in %.1f s (%.0f per second), strategy %s, seed %" PRIu64
                "\n",
                summary->executions, summary->seconds, tsl_summary_rate(summary), summary->strategy,
                summary->seed);
    tsl_buf_add(out, "  %" PRIu64 " distinct interleavings", summary->interleavings);
    if (summary->has_traces)
        tsl_buf_add(out, ", %" PRIu64 " distinct partial orders", summary->traces);
    if (summary->has_inputs)
        tsl_buf_add(out, ", %" PRIu64 " paths", summary->paths);
    if (summary->blocked)
        tsl_buf_add(out, ", %" PRIu64 " runs cut as redundant", summary->blocked);
    tsl_buf_add(out, "\n  %zu %s", bugs, bugs == 1 ? "bug" : "bugs");
    if (races == bugs && bugs)
        tsl_buf_puts(out, bugs == 1 ? ", a data race" : ", all data races");
    else if (races)
        tsl_buf_add(out, ", %" PRIu64 " of them %s", races,
                    races == 1 ? "a data race" : "data races");
    tsl_buf_putc(out, '\n');
    coverage(summary, out);
    tsl_exits_text(&summary->exits, out);
    if (summary->story)
        tsl_buf_puts(out, summary->story);
    sampling(summary, out);
    if (summary->unconfirmed)
        tsl_buf_add(out,
                    "  %" PRIu64 " %s of accesses looked like a race but could not be shown: not "
                    "reported\n",
                    summary->unconfirmed, summary->unconfirmed == 1 ? "pair" : "pairs");
    if (summary->untried)
        tsl_buf_add(out,
                    "  %" PRIu64 " %s of accesses may race: the time was up before anybody could "
                    "look\n",
                    summary->untried, summary->untried == 1 ? "pair" : "pairs");
    if (summary->rejected && summary->rejected == summary->executions)
        tsl_buf_puts(out,
                     "  no input was found for which all assumptions hold: nothing behind them "
                     "was tested\n");
    else
        limit(out, summary->rejected, "did not meet an assumption");
    if (summary->claim)
        tsl_claim_reasons_text(summary->claim, out);
    if (summary->stray.run)
        tsl_divergence_text(&summary->stray, summary->sites, summary->census, out);
    if (summary->begun_again)
        tsl_buf_puts(out, "  a compare-and-swap (on a stack, or of another size than other "
                          "accesses) could not be\n  predicted: the search began again and took "
                          "all of them for writes\n");
}
