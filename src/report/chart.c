#include "report/chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/axis.h"
#include "report/evenness.h"

// Places, in pixels.
static const double WIDTH = 980, MARGIN = 24;
static const double HEAD = 100; // of the file, with the explanations
static const double TITLE = 40; // of a program
static const double ROW = 252;  // of a sampler, with its heading
static const double ROW_TOP = 48, ROW_BOTTOM = 198;
static const double BARS_LEFT = 88, BARS_RIGHT = 470;
static const double CURVE_LEFT = 570, CURVE_RIGHT = 850;
static const double LABEL_GAP = 15;       // between labels at the ends of curves
static const double FEW = 4, WIDEST = 60; // width of bars that are drawn one by one
static const double STRIP = 10, STRIP_ABOVE = 18, NARROWEST = 1.5;

static const double LOG_FROM = 30; // ratio highest / lowest from which a scale is logarithmic

typedef struct chart {
    tsl_buf *out;
    tsl_axis order, share; // of the left picture
    tsl_axis run, known;   // of the right picture
} chart;

static const char style[] =
    "<style>\n"
    "text { font: 13px system-ui, sans-serif; fill: #1f2328 }\n"
    ".paper { fill: #ffffff }\n"
    ".title { font-size: 18px; font-weight: 600 }\n"
    ".name { font-size: 15px; font-weight: 600 }\n"
    ".soft { fill: #59636e; font-size: 12px; font-weight: 400 }\n"
    ".grid { stroke: #e1e5ea; stroke-width: 1 }\n"
    ".axis { stroke: #8a939d; stroke-width: 1 }\n"
    ".bar { fill: #4a7ab5 } .many { fill: #aeb8c4 }\n"
    ".even { stroke: #c2371f; stroke-width: 1.5; stroke-dasharray: 6 4 }\n"
    ".orders, .row, .read { fill: none; stroke-width: 2; stroke-linejoin: round }\n"
    ".orders { stroke: #4a7ab5 } .row { stroke: #b8640a; stroke-dasharray: 7 3 }\n"
    ".read { stroke: #2b8a56; stroke-dasharray: 2 3 }\n"
    ".t-orders { fill: #3a669c } .t-row { fill: #a05608 } .t-read { fill: #22704a }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "text { fill: #e6e9ed } .paper { fill: #15181c } .soft { fill: #a3adb8 }\n"
    ".grid { stroke: #2b3138 } .axis { stroke: #6b7580 } .bar { fill: #6b9fdb }\n"
    ".many { fill: #4a545f }\n"
    ".even { stroke: #ff8a70 }\n"
    ".orders { stroke: #6b9fdb } .row { stroke: #e69a45 } .read { stroke: #5cc48d }\n"
    ".t-orders { fill: #8db8ea } .t-row { fill: #efae66 } .t-read { fill: #7fd6a7 }\n"
    "}\n"
    "</style>\n";

// ---------------------------------------------------------------- words and numbers

// The number of bytes of a UTF-8 character; 0: it is malformed, or XML does not allow it.
static size_t character(const unsigned char *c) {
    if (*c < 0x80)
        return *c >= 0x20 && *c != 0x7f;
    size_t n = *c >= 0xf1 && *c <= 0xf3   ? 4
               : *c >= 0xe1 && *c <= 0xec ? 3
               : *c >= 0xc3 && *c <= 0xdf ? 2
                                          : 0;
    for (size_t i = 1; i < n; i++)
        if (c[i] < 0x80 || c[i] > 0xbf)
            return 0;
    return n;
}

// Names of programs may contain any bytes.
static void put_name(tsl_buf *out, const char *name) {
    for (const unsigned char *c = (const unsigned char *)name; *c;) {
        size_t n = character(c);
        if (n == 0)
            tsl_buf_putc(out, '?');
        else if (strchr("&<>\"", *c))
            tsl_buf_add(out, "&#%d;", *c);
        else
            tsl_buf_bytes(out, c, n);
        c += n ? n : 1;
    }
}

static void put_count(tsl_buf *out, double n) {
    if (n >= 1e9)
        tsl_buf_add(out, "%gG", n / 1e9);
    else if (n >= 1e6)
        tsl_buf_add(out, "%gM", n / 1e6);
    else if (n >= 1e4)
        tsl_buf_add(out, "%gk", n / 1e3);
    else
        tsl_buf_add(out, "%g", n);
}

static void put_share(tsl_buf *out, double share) { tsl_buf_add(out, "%.3g %%", 100 * share); }

static void line(tsl_buf *out, const char *class, double x1, double y1, double x2, double y2) {
    tsl_buf_add(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                class, x1, y1, x2, y2);
}

// Writes the element up to its text; the caller adds </text>.
static void begin_text(tsl_buf *out, const char *class, const char *anchor, double x, double y) {
    tsl_buf_add(out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, anchor,
                x, y);
}

static void text(tsl_buf *out, const char *class, const char *anchor, double x, double y,
                 const char *words) {
    begin_text(out, class, anchor, x, y);
    tsl_buf_add(out, "%s</text>\n", words);
}

// ---------------------------------------------------------------- axes

static void draw_x(tsl_buf *out, const tsl_axis *x, double bottom, const char *label) {
    double marks[TSL_AXIS_MARKS];
    size_t n = tsl_axis_marks(x, 8, true, marks);
    for (size_t i = 0; i < n; i++) {
        double at = tsl_axis_at(x, marks[i]);
        line(out, "axis", at, bottom, at, bottom + 4);
        begin_text(out, "soft", "middle", at, bottom + 17);
        put_count(out, marks[i]);
        tsl_buf_puts(out, "</text>\n");
    }
    line(out, "axis", x->from, bottom, x->to, bottom);
    text(out, "soft", "middle", (x->from + x->to) / 2, bottom + 33, label);
}

static void draw_y(tsl_buf *out, const tsl_axis *y, const tsl_axis *x, const char *label,
                   void (*put)(tsl_buf *, double)) {
    double marks[TSL_AXIS_MARKS], left = x->from, turn = left - 62, middle = (y->from + y->to) / 2;
    size_t n = tsl_axis_marks(y, 5, put == put_count, marks);
    for (size_t i = 0; i < n; i++) {
        double at = tsl_axis_at(y, marks[i]);
        line(out, "grid", left, at, x->to, at);
        begin_text(out, "soft", "end", left - 6, at + 4);
        put(out, marks[i]);
        tsl_buf_puts(out, "</text>\n");
    }
    tsl_buf_add(out,
                "<text class=\"soft\" text-anchor=\"middle\" transform=\"translate(%.1f %.1f) "
                "rotate(-90)\">%s</text>\n",
                turn, middle, label);
}

// ---------------------------------------------------------------- bars

static double frequency(const tsl_sampled *s, const tsl_sampled_group *g) {
    return (double)g->runs / (double)g->orders / (double)s->runs;
}

// The left edge of partial order number `rank`, counted from 1.
static double left_of(const chart *c, double rank) { return tsl_axis_at(&c->order, rank - 0.5); }

static void draw_single_bars(const chart *c, const tsl_sampled *s) {
    double rank = 1, base = c->share.from, slot = left_of(c, 2) - left_of(c, 1);
    double gap = slot > WIDEST ? slot - WIDEST : slot > 8 ? 2 : 1;
    for (size_t i = 0; i < s->groups.len; i++) {
        const tsl_sampled_group *g = &s->groups.data[i];
        double top = tsl_axis_at(&c->share, frequency(s, g));
        for (uint64_t k = 0; k < g->orders; k++, rank++) {
            tsl_buf_add(c->out,
                        "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                        "height=\"%.1f\"><title>",
                        left_of(c, rank) + gap / 2, top, slot - gap, base - top);
            tsl_buf_add(c->out, "%" PRIu64 "%s, ", g->runs / g->orders,
                        g->runs == g->orders ? " run" : " runs");
            put_share(c->out, frequency(s, g));
            tsl_buf_puts(c->out, "</title></rect>\n");
        }
    }
}

// Draws so many bars that there is no room between them.
static void draw_area(const chart *c, const tsl_sampled *s) {
    double rank = 1;
    tsl_buf_add(c->out, "<path class=\"bar\" d=\"M%.1f %.1f", c->order.from, c->share.from);
    for (size_t i = 0; i < s->groups.len; i++) {
        rank += (double)s->groups.data[i].orders;
        tsl_buf_add(c->out, "V%.1fH%.1f", tsl_axis_at(&c->share, frequency(s, &s->groups.data[i])),
                    left_of(c, rank));
    }
    tsl_buf_add(c->out, "V%.1fZ\"/>\n", c->share.from);
}

static void draw_segment(const chart *c, const char *class, double x, double to) {
    double gap = to - x > 3 ? 1 : 0;
    tsl_buf_add(c->out,
                "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\"/>\n",
                class, x, c->share.to - STRIP_ABOVE, to - x - gap, STRIP);
}

// Draws a segment for each partial order, as wide as the order is frequent (as in the paper).
// Segments that are too narrow to be seen are one grey piece.
static void draw_strip(const chart *c, const tsl_sampled *s) {
    double x = c->order.from, whole = c->order.to - x;
    for (size_t i = 0; i < s->groups.len; i++) {
        const tsl_sampled_group *g = &s->groups.data[i];
        double width = frequency(s, g) * whole;
        for (uint64_t k = 0; k < g->orders && width >= NARROWEST; k++, x += width)
            draw_segment(c, "bar", x, x + width);
    }
    if (c->order.to - x > 0.5)
        draw_segment(c, "many", x, c->order.to);
}

static void draw_bars(const chart *c, const tsl_sampled *s) {
    tsl_buf *out = c->out;
    double even = tsl_axis_at(&c->share, 1 / (double)s->orders);
    draw_strip(c, s);
    draw_y(out, &c->share, &c->order, c->share.log ? "share of runs, log" : "share of runs",
           put_share);
    if (!c->order.log && left_of(c, 2) - left_of(c, 1) >= FEW)
        draw_single_bars(c, s);
    else
        draw_area(c, s);
    line(out, "even", c->order.from, even, left_of(c, (double)s->orders + 1), even);
    draw_x(out, &c->order, c->share.from,
           c->order.log ? "partial orders, most frequent first, log"
                        : "partial orders, most frequent first");
}

// ---------------------------------------------------------------- curves

static uint64_t field(const tsl_sampled_point *p, unsigned curve) {
    return curve == 0 ? p->orders : curve == 1 ? p->successions : p->reads;
}

static void draw_curve(const chart *c, const tsl_sampled *s, unsigned curve, const char *class) {
    size_t from = 0;
    while (c->known.log && from < s->curve.len && field(&s->curve.data[from], curve) == 0)
        from++;
    if (from == s->curve.len)
        return;
    tsl_buf_add(c->out, "<polyline class=\"%s\" points=\"", class);
    for (size_t i = from; i < s->curve.len; i++)
        tsl_buf_add(c->out, "%.1f,%.1f ", tsl_axis_at(&c->run, (double)s->curve.data[i].runs),
                    tsl_axis_at(&c->known, (double)field(&s->curve.data[i], curve)));
    tsl_buf_puts(c->out, "\"/>\n");
}

// Pushes labels apart, the one with the highest number on top.
static void spread(double *y, const double *wanted, unsigned n) {
    unsigned by_place[3] = {0, 1, 2};
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = i; k > 0 && wanted[by_place[k]] < wanted[by_place[k - 1]]; k--) {
            unsigned other = by_place[k];
            by_place[k] = by_place[k - 1];
            by_place[k - 1] = other;
        }
    double lowest = 0; // works from the bottom up, so that no label goes below the chart
    for (unsigned i = n; i-- > 0; lowest = y[by_place[i]]) {
        double limit = i == n - 1 ? wanted[by_place[i]] : lowest - LABEL_GAP;
        y[by_place[i]] = wanted[by_place[i]] < limit ? wanted[by_place[i]] : limit;
    }
}

static void draw_curves(const chart *c, const tsl_sampled *s) {
    static const char *const classes[] = {"orders", "row", "read"};
    static const char *const words[] = {"orders", "in a row", "read from"};
    const tsl_sampled_point *end = &s->curve.data[s->curve.len - 1];
    double wanted[3], y[3];
    draw_y(c->out, &c->known, &c->run, c->known.log ? "known, log" : "known", put_count);
    draw_x(c->out, &c->run, c->known.from, "after so many runs, log");
    for (unsigned i = 0; i < 3; i++) {
        draw_curve(c, s, i, classes[i]);
        wanted[i] = tsl_axis_at(&c->known, (double)field(end, i));
    }
    spread(y, wanted, 3);
    for (unsigned i = 0; i < 3; i++) {
        tsl_buf_add(c->out, "<text class=\"t-%s\" x=\"%.1f\" y=\"%.1f\">%" PRIu64 " %s</text>\n",
                    classes[i], tsl_axis_at(&c->run, (double)s->runs) + 6, y[i] + 4, field(end, i),
                    words[i]);
    }
}

// ---------------------------------------------------------------- rows

static chart scales(const tsl_samplers *p, double top, tsl_buf *out) {
    double orders = 1, runs = 1, known = 1, most = 0, least = 1;
    for (size_t i = 0; i < p->list.len; i++) {
        const tsl_sampled *s = &p->list.data[i];
        const tsl_sampled_point *end = &s->curve.data[s->curve.len - 1];
        const double high = frequency(s, &s->groups.data[0]);
        const double low = frequency(s, &s->groups.data[s->groups.len - 1]);
        orders = (double)s->orders > orders ? (double)s->orders : orders;
        runs = (double)s->runs > runs ? (double)s->runs : runs;
        most = high > most ? high : most;
        least = low < least ? low : least;
        for (unsigned k = 0; k < 3; k++)
            known = (double)field(end, k) > known ? (double)field(end, k) : known;
    }
    bool uneven = most / least > LOG_FROM, many = known > LOG_FROM;
    double bottom = top + ROW_BOTTOM, ceiling = top + ROW_TOP;
    return (chart){
        .out = out,
        .order = tsl_axis_make(uneven && orders * FEW > BARS_RIGHT - BARS_LEFT, 0.5, orders + 0.5,
                               BARS_LEFT, BARS_RIGHT),
        .share = tsl_axis_make(uneven, uneven ? least / 2 : 0, most, bottom, ceiling),
        .run = tsl_axis_make(true, 1, runs, CURVE_LEFT, CURVE_RIGHT),
        .known = tsl_axis_make(many, many ? 1 : 0, known, bottom, ceiling),
    };
}

static void draw_heading(const tsl_sampled *s, double top, tsl_buf *out) {
    tsl_evenness e = tsl_evenness_of(s);
    begin_text(out, "name", "start", MARGIN, top + 16);
    tsl_buf_add(out, "%s<tspan class=\"soft\" dx=\"12\">", s->sampler);
    tsl_buf_add(out, "%" PRIu64 " run%s, %" PRIu64 " partial order%s, evenness %.3f; ", s->runs,
                s->runs == 1 ? "" : "s", s->orders, s->orders == 1 ? "" : "s", e.evenness);
    tsl_buf_puts(out, "the next run shows a new one: ");
    put_share(out, e.next);
    if (s->left_out)
        tsl_buf_add(out, "; %" PRIu64 " more runs are not counted", s->left_out);
    tsl_buf_puts(out, "</tspan></text>\n");
}

static double draw_program(const tsl_samplers *p, double top, tsl_buf *out) {
    begin_text(out, "title", "start", MARGIN, top + 22);
    put_name(out, p->program ? p->program : "");
    tsl_buf_puts(out, "</text>\n");
    top += TITLE;
    for (size_t i = 0; i < p->list.len; i++, top += ROW) {
        chart c = scales(p, top, out);
        draw_heading(&p->list.data[i], top, out);
        draw_bars(&c, &p->list.data[i]);
        draw_curves(&c, &p->list.data[i]);
    }
    return top;
}

// ---------------------------------------------------------------- the file

static double draw_head(tsl_buf *out) {
    static const char *const lines[] = {
        "Left: how often each partial order was sampled. Dashed: where all of them would be "
        "equally "
        "frequent.",
        "Strip: all runs, a segment for each partial order, grey where they are too thin to be "
        "seen.",
        "Right: what was known after how many runs: partial orders, pairs of places that ran in a "
        "row in different threads,",
        "and pairs of which one read what the other wrote."};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        text(out, "soft", "start", MARGIN, 28 + 18 * (double)i, lines[i]);
    return HEAD;
}

static double height_of(const tsl_sampled_programs *programs) {
    double height = HEAD + MARGIN;
    for (size_t i = 0; i < programs->len; i++)
        if (programs->data[i].list.len)
            height += TITLE + (double)programs->data[i].list.len * ROW;
    return height;
}

void tsl_chart_format(const tsl_sampled_programs *programs, tsl_buf *out) {
    double height = height_of(programs);
    tsl_buf_add(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n"
                "<title>How partial orders were sampled</title>\n%s"
                "<rect class=\"paper\" width=\"%.0f\" height=\"%.0f\"/>\n",
                WIDTH, height, WIDTH, height, style, WIDTH, height);
    double top = draw_head(out);
    for (size_t i = 0; i < programs->len; i++)
        if (programs->data[i].list.len)
            top = draw_program(&programs->data[i], top, out);
    tsl_buf_puts(out, "</svg>\n");
}
