#include "report/tally_file.h"

#include <inttypes.h>
#include <string.h>

#include "report/records.h"

#define HEAD "# teasel sampling 1, samplers: "

enum {
    SMALL = 1024,        // frequencies below this are never rounded
    MOST_EXACT = 2000,   // with more groups than this, large frequencies are rounded
    ROUND_BITS = 7,      // number of leading bits of a frequency that rounding keeps
    MOST_GROUPS = 3000,  // upper bound for the number of groups after rounding
    MOST_POINTS = 2000,  // limit for a curve in a file
    MOST_SAMPLERS = 100, // limit for a program in a file
    NAME_LENGTH = 32
};

#define MOST_RUNS ((uint64_t)1 << 53) // a double holds them, and their sums do not overflow

static void sampled_drop(tsl_sampled *s) {
    tsl_free(s->sampler);
    tsl_vec_drop(&s->groups);
    tsl_vec_drop(&s->curve);
}

void tsl_samplers_drop(tsl_samplers *s) {
    for (size_t i = 0; i < s->list.len; i++)
        sampled_drop(&s->list.data[i]);
    tsl_vec_drop(&s->list);
    tsl_free(s->program);
    s->program = NULL;
}

void tsl_sampled_programs_drop(tsl_sampled_programs *programs) {
    for (size_t i = 0; i < programs->len; i++)
        tsl_samplers_drop(&programs->data[i]);
    tsl_vec_drop(programs);
}

// ---------------------------------------------------------------- counting

typedef TSL_VEC(uint32_t) numbers;

static int descending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

static uint32_t rounded(uint32_t times) {
    unsigned bits = 32u - (unsigned)__builtin_clz(times);
    return times >> (bits - ROUND_BITS) << (bits - ROUND_BITS);
}

static void add_group(tsl_sampled *s, uint64_t orders, uint64_t runs) {
    tsl_vec_push(&s->groups, (tsl_sampled_group){orders, runs});
    s->orders += orders;
    s->runs += runs;
}

static void add_large(tsl_sampled *s, const numbers *large, bool exact) {
    for (size_t i = 0, end; i < large->len; i = end) {
        uint32_t first = exact ? large->data[i] : rounded(large->data[i]);
        uint64_t runs = 0;
        for (end = i;
             end < large->len && (exact ? large->data[end] : rounded(large->data[end])) == first;
             end++)
            runs += large->data[end];
        add_group(s, end - i, runs);
    }
}

static size_t count_distinct(const numbers *sorted) {
    size_t n = 0;
    for (size_t i = 0; i < sorted->len; i++)
        n += i == 0 || sorted->data[i] != sorted->data[i - 1];
    return n;
}

// Nearly all frequencies are small, so only the others are sorted.
void tsl_sampled_count(tsl_sampled *s, const uint32_t *times, size_t n) {
    uint64_t *small = tsl_alloc_array(SMALL, sizeof *small);
    numbers large = {0};
    for (size_t i = 0; i < n; i++)
        if (times[i] < SMALL)
            small[times[i]]++;
        else
            tsl_vec_push(&large, times[i]);
    tsl_vec_sort(&large, descending);
    add_large(s, &large, count_distinct(&large) + SMALL <= MOST_EXACT);
    for (uint32_t t = SMALL - 1; t > 0; t--)
        if (small[t])
            add_group(s, small[t], small[t] * t);
    tsl_vec_drop(&large);
    tsl_free(small);
}

// ---------------------------------------------------------------- writing

static void keep_one(const tsl_sampled *s, tsl_buf *out) {
    tsl_buf_add(out, "SAMPLER:%s\nRUNS:%" PRIu64 "\nLEFT:%" PRIu64 "\n", s->sampler, s->runs,
                s->left_out);
    for (size_t i = 0; i < s->groups.len; i++)
        tsl_buf_add(out, "SEEN:%" PRIu64 ",%" PRIu64 "\n", s->groups.data[i].orders,
                    s->groups.data[i].runs);
    for (size_t i = 0; i < s->curve.len; i++) {
        const tsl_sampled_point *p = &s->curve.data[i];
        tsl_buf_add(out, "KNOWN:%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", p->runs,
                    p->orders, p->successions, p->reads);
    }
    tsl_buf_puts(out, "end_of_sampler\n");
}

void tsl_samplers_keep(const tsl_samplers *s, tsl_buf *out) {
    tsl_buf_add(out, HEAD "%zu\n", s->list.len);
    for (size_t i = 0; i < s->list.len; i++)
        keep_one(&s->list.data[i], out);
}

// ---------------------------------------------------------------- reading

typedef struct reader {
    tsl_records in;
    tsl_sampled one; // the sampler being read; without a name: none
    uint64_t runs;   // number of runs it should have
    bool has_runs, has_left;
    tsl_samplers *to;
} reader;

static bool bad(const reader *r, const char *why) { return tsl_records_refuse(&r->in, why); }

static const char *value(const reader *r, const char *key) {
    return tsl_records_value(&r->in, key);
}

// Reads exactly n numbers with commas between them, up to the end of the line.
static bool read_numbers(const reader *r, const char *at, uint64_t *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!tsl_records_number(&r->in, &at, i + 1 < n ? ',' : 0, MOST_RUNS, &out[i]))
            return false;
    return true;
}

static bool is_name(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9') ||
              text[i] == '-'))
            return false;
    return len > 0 && len <= NAME_LENGTH;
}

static bool read_name(reader *r, const char *at) {
    size_t len = (size_t)(r->in.line + r->in.len - at);
    if (r->one.sampler)
        return bad(r, "a sampler begins before the last one ends");
    if (!is_name(at, len) || r->to->list.len == MOST_SAMPLERS)
        return bad(r, "expected the name of a sampler");
    r->one.sampler = tsl_strndup(at, len);
    for (size_t i = 0; i < r->to->list.len; i++)
        if (strcmp(r->to->list.data[i].sampler, r->one.sampler) == 0)
            return bad(r, "a sampler comes twice");
    return true;
}

static bool read_runs(reader *r, const char *at) {
    if (r->has_runs || !read_numbers(r, at, &r->runs, 1))
        return bad(r, "expected a number of runs");
    r->has_runs = true;
    return true;
}

static bool read_left(reader *r, const char *at) {
    if (r->has_left || !read_numbers(r, at, &r->one.left_out, 1))
        return bad(r, "expected a number of runs");
    r->has_left = true;
    return true;
}

static double frequency(const tsl_sampled_group *g) { return (double)g->runs / (double)g->orders; }

static bool read_seen(reader *r, const char *at) {
    uint64_t n[2];
    tsl_sampled *s = &r->one;
    if (!read_numbers(r, at, n, 2) || n[0] == 0 || n[1] < n[0] || s->curve.len ||
        s->groups.len == MOST_GROUPS || s->runs + n[1] > MOST_RUNS)
        return bad(r, "expected a number of orders and of their runs");
    tsl_sampled_group group = {n[0], n[1]};
    if (s->groups.len && frequency(&group) >= frequency(&tsl_vec_last(&s->groups)))
        return bad(r, "the orders are not less frequent than those before");
    add_group(s, group.orders, group.runs);
    return true;
}

static bool follows(const tsl_sampled_point *a, const tsl_sampled_point *b) {
    return a->runs < b->runs && a->orders <= b->orders && a->successions <= b->successions &&
           a->reads <= b->reads;
}

static bool read_known(reader *r, const char *at) {
    uint64_t n[4];
    tsl_sampled *s = &r->one;
    if (!read_numbers(r, at, n, 4) || n[1] == 0 || n[1] > n[0] || s->curve.len == MOST_POINTS)
        return bad(r, "expected four numbers of what was known");
    tsl_sampled_point point = {n[0], n[1], n[2], n[3]};
    if (s->curve.len && !follows(&tsl_vec_last(&s->curve), &point))
        return bad(r, "the numbers do not follow those of the line before");
    tsl_vec_push(&s->curve, point);
    return true;
}

static bool read_end(reader *r) {
    const tsl_sampled *s = &r->one;
    if (!r->has_runs || !r->has_left || !s->groups.len || !s->curve.len)
        return bad(r, "a record is missing before it");
    if (s->runs != r->runs)
        return bad(r, "the number of runs is wrong");
    if (tsl_vec_last(&s->curve).runs != s->runs || tsl_vec_last(&s->curve).orders != s->orders)
        return bad(r, "the curve does not end with what was seen");
    tsl_vec_push(&r->to->list, r->one);
    memset(&r->one, 0, sizeof r->one);
    r->has_runs = r->has_left = false;
    return true;
}

static bool read_record(reader *r) {
    static const struct {
        const char *key;
        bool (*read)(reader *r, const char *at);
    } records[] = {
        {"RUNS:", read_runs}, {"LEFT:", read_left}, {"SEEN:", read_seen}, {"KNOWN:", read_known}};
    const char *at;
    if ((at = value(r, "SAMPLER:")))
        return read_name(r, at);
    if (!r->one.sampler)
        return bad(r, "expected the start of a sampler");
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        if ((at = value(r, records[i].key)))
            return records[i].read(r, at);
    if (r->in.len == strlen("end_of_sampler") && value(r, "end_of_sampler"))
        return read_end(r);
    return bad(r, "not a line of a sampling file");
}

static bool read_all(reader *r) {
    uint64_t samplers;
    const char *at = tsl_records_begin(&r->in, HEAD, "# teasel sampling ");
    if (!at)
        return false;
    if (!read_numbers(r, at, &samplers, 1))
        return bad(r, "expected a number of samplers");
    while (tsl_records_next(&r->in))
        if (!read_record(r))
            return false;
    if (r->one.sampler)
        return bad(r, "the end is missing");
    return r->to->list.len == samplers || bad(r, "the number of samplers is wrong");
}

bool tsl_samplers_parse(const char *name, const char *text, size_t len, tsl_samplers *samplers,
                        tsl_err *err) {
    reader r = {.in = {.name = name, .at = text, .end = text + len, .err = err}, .to = samplers};
    bool ok = read_all(&r);
    sampled_drop(&r.one);
    if (!ok)
        tsl_samplers_drop(samplers);
    return ok;
}
