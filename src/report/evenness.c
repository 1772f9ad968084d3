#include "report/evenness.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double entropy(const tsl_sampled *s) {
    double bits = 0;
    for (size_t i = 0; i < s->groups.len; i++) {
        const tsl_sampled_group *g = &s->groups.data[i];
        double share = (double)g->runs / (double)s->runs;
        bits -= share * log2(share / (double)g->orders);
    }
    return bits;
}

static uint64_t half_of(const tsl_sampled *s) {
    uint64_t orders = 0, left = s->runs - s->runs / 2;
    for (size_t i = 0; i < s->groups.len; i++) {
        const tsl_sampled_group *g = &s->groups.data[i];
        if (g->runs >= left)
            return orders +
                   (uint64_t)(((unsigned __int128)left * g->orders + g->runs - 1) / g->runs);
        orders += g->orders;
        left -= g->runs;
    }
    return orders;
}

static uint64_t seen_times(const tsl_sampled *s, uint64_t times) {
    for (size_t i = 0; i < s->groups.len; i++)
        if (s->groups.data[i].runs == times * s->groups.data[i].orders)
            return s->groups.data[i].orders;
    return 0;
}

tsl_evenness tsl_evenness_of(const tsl_sampled *s) {
    const tsl_sampled_group *first = &s->groups.data[0];
    double runs = (double)s->runs, once = (double)seen_times(s, 1);
    return (tsl_evenness){
        .most = (double)first->runs / (double)first->orders / runs,
        .half = half_of(s),
        .evenness = s->orders > 1 ? entropy(s) / log2((double)s->orders) : 1,
        .once = seen_times(s, 1),
        .next = once / runs,
        .unseen = once > 0 ? once * (once - 1) / (2 * ((double)seen_times(s, 2) + 1)) : 0,
    };
}

// ---------------------------------------------------------------- as text

enum { LABEL = 34, COLUMN = 11 };

typedef void (*column)(const tsl_sampled *s, const tsl_evenness *e, char *to, size_t size);

static void put_count(uint64_t n, char *to, size_t size) { snprintf(to, size, "%" PRIu64, n); }

static void put_share(double share, char *to, size_t size) {
    snprintf(to, size, "%.*f %%", share >= 0.0995 ? 1 : share >= 0.00995 ? 2 : 3, 100 * share);
}

#define COUNT(name, what)                                                                          \
    static void name(const tsl_sampled *s, const tsl_evenness *e, char *to, size_t size) {         \
        (void)s, (void)e;                                                                          \
        put_count(what, to, size);                                                                 \
    }
COUNT(runs, s->runs)
COUNT(left_out, s->left_out)
COUNT(orders, s->orders)
COUNT(half, e->half)
COUNT(once, e->once)
COUNT(successions, tsl_vec_last(&s->curve).successions)
COUNT(reads, tsl_vec_last(&s->curve).reads)

static void most(const tsl_sampled *s, const tsl_evenness *e, char *to, size_t size) {
    (void)s;
    put_share(e->most, to, size);
}

static void evenness(const tsl_sampled *s, const tsl_evenness *e, char *to, size_t size) {
    (void)s;
    snprintf(to, size, "%.3f", e->evenness);
}

static void next(const tsl_sampled *s, const tsl_evenness *e, char *to, size_t size) {
    (void)s;
    put_share(e->next, to, size);
}

// Two digits of an estimate are enough.
static void unseen(const tsl_sampled *s, const tsl_evenness *e, char *to, size_t size) {
    (void)s;
    double unit = e->unseen < 100 ? 1 : pow(10, floor(log10(e->unseen)) - 1);
    snprintf(to, size, "%.0f", floor(e->unseen / unit + 0.5) * unit);
}

static void row(const tsl_samplers *s, const char *label, column of, tsl_buf *out) {
    tsl_buf_add(out, "  %-*s", LABEL, label);
    for (size_t i = 0; i < s->list.len; i++) {
        tsl_evenness e = tsl_evenness_of(&s->list.data[i]);
        char text[40];
        of(&s->list.data[i], &e, text, sizeof text);
        tsl_buf_add(out, " %*s", COLUMN - 1, text);
    }
    tsl_buf_putc(out, '\n');
}

void tsl_evenness_text(const tsl_samplers *s, tsl_buf *out) {
    bool all = true;
    const char *program = s->program ? s->program : "";
    tsl_buf_add(out, "%s", program);
    if (strlen(program) > LABEL)
        tsl_buf_putc(out, '\n');
    tsl_buf_pad(out, LABEL + 2 - (strlen(program) > LABEL ? 0 : strlen(program)));
    for (size_t i = 0; i < s->list.len; i++) {
        tsl_buf_add(out, " %*s", COLUMN - 1, s->list.data[i].sampler);
        all = all && !s->list.data[i].left_out;
    }
    tsl_buf_putc(out, '\n');
    row(s, "runs", runs, out);
    if (!all)
        row(s, "  not counted: too many orders", left_out, out);
    row(s, "partial orders", orders, out);
    row(s, "  share of the most frequent one", most, out);
    row(s, "  that make half of the runs", half, out);
    row(s, "  evenness, 1 is uniform", evenness, out);
    row(s, "  seen once", once, out);
    row(s, "  never seen, at least about", unseen, out);
    row(s, "the next run shows a new one", next, out);
    row(s, "pairs of places: in a row", successions, out);
    row(s, "pairs of places: read from", reads, out);
}
