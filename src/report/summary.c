// The last lines of a campaign on a terminal; see summary.h.
#include "report/summary.h"

#include <inttypes.h>

double tsl_summary_rate(const tsl_summary *summary) {
    const tsl_counts *n = summary->counts;
    return n->seconds > 0 ? (double)n->executions / n->seconds : 0;
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

static void coverage(const tsl_summary *summary, tsl_buf *out) {
    if (!summary->coverage)
        return;
    tsl_cover_count n = tsl_coverage_count(summary->coverage);
    if (n.total_functions)
        tsl_buf_add(out, "  covered: %zu of %zu branches, %zu of %zu lines, %zu of %zu functions\n",
                    n.branches, n.total_branches, n.lines, n.total_lines, n.functions,
                    n.total_functions);
}

static void numbers(const tsl_summary *summary, tsl_buf *out) {
    const tsl_counts *n = summary->counts;
    tsl_buf_add(out,
                ": %" PRIu64 " executions in %.1f s (%.0f per second), strategy %s, seed %" PRIu64
                "\n  %" PRIu64 " distinct interleavings",
                n->executions, n->seconds, tsl_summary_rate(summary), summary->strategy,
                summary->seed, n->interleavings);
    if (summary->has_traces)
        tsl_buf_add(out, ", %" PRIu64 " distinct partial orders", n->traces);
    if (n->flags & TSL_TRACE_INPUTS)
        tsl_buf_add(out, ", %" PRIu64 " paths", n->paths);
    if (n->blocked)
        tsl_buf_add(out, ", %" PRIu64 " runs cut as redundant", n->blocked);
    tsl_buf_putc(out, '\n');
}

static void bugs(const tsl_summary *summary, tsl_buf *out) {
    size_t bugs = summary->bugs ? summary->bugs->len : 0;
    uint64_t races = tsl_summary_races(summary);
    tsl_buf_add(out, "  %zu %s", bugs, bugs == 1 ? "bug" : "bugs");
    if (races == bugs && bugs)
        tsl_buf_puts(out, bugs == 1 ? ", a data race" : ", all data races");
    else if (races)
        tsl_buf_add(out, ", %" PRIu64 " of them %s", races,
                    races == 1 ? "a data race" : "data races");
    tsl_buf_putc(out, '\n');
}

// When did sampling last find something new?
static void novelty(const tsl_summary *s, tsl_buf *out) {
    const tsl_novelty *n = s->novelty;
    enum tsl_verdict v = s->claim ? tsl_claim_verdict(s->claim) : TSL_VERDICT_STOPPED;
    bool matters = v == TSL_VERDICT_SAMPLED || v == TSL_VERDICT_BOUNDED;
    if (n && n->runs && matters)
        tsl_buf_add(out,
                    "  new behaviour: last new partial order in run %" PRIu64
                    ", last new pair of places (%" PRIu64 " in a row, %" PRIu64
                    " read from) in run %" PRIu64 "\n",
                    n->last_order, n->successions, n->reads_from, n->last_pair);
}

static void pairs(uint64_t n, const char *what, tsl_buf *out) {
    if (n)
        tsl_buf_add(out, "  %" PRIu64 " %s of accesses %s\n", n, n == 1 ? "pair" : "pairs", what);
}

static void rejected(const tsl_counts *n, tsl_buf *out) {
    uint64_t runs = n->outcomes[TSL_OUT_REJECTED];
    if (runs && runs == n->executions)
        tsl_buf_puts(out, "  no input was found for which all assumptions hold: nothing behind "
                          "them was tested\n");
    else if (runs)
        tsl_buf_add(out, "  %" PRIu64 " %s did not meet an assumption\n", runs,
                    runs == 1 ? "run" : "runs");
}

static void weaknesses(const tsl_summary *summary, tsl_buf *out) {
    const tsl_counts *n = summary->counts;
    if (summary->claim)
        tsl_claim_reasons_text(summary->claim, out);
    if (n->stray.run)
        tsl_divergence_text(&n->stray, summary->sites, summary->census, out);
    if (n->begun_again)
        tsl_buf_puts(out, "  a compare-and-swap (on a stack, or of another size than other "
                          "accesses) could not be\n  predicted: the search began again and took "
                          "all of them for writes\n");
}

void tsl_summary_text(const tsl_summary *summary, tsl_buf *out) {
    verdict(summary, out);
    numbers(summary, out);
    bugs(summary, out);
    coverage(summary, out);
    if (summary->exits)
        tsl_exits_text(summary->exits, out);
    if (summary->story)
        tsl_buf_puts(out, summary->story);
    novelty(summary, out);
    pairs(summary->counts->unconfirmed, "looked like a race but could not be shown: not reported",
          out);
    pairs(summary->counts->untried, "may race: the time was up before anybody could look", out);
    rejected(summary->counts, out);
    weaknesses(summary, out);
}
