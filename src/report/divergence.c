#include "report/divergence.h"

#include <inttypes.h>

static void place(const tsl_sites *sites, uint32_t site, tsl_buf *out) {
    tsl_where where;
    if (sites && tsl_sites_get(sites, site, &where) && where.file[0])
        tsl_buf_add(out, " at %s:%u", where.file, where.line);
}

static void step(const tsl_event *e, const tsl_sites *sites, tsl_buf *out) {
    tsl_buf_add(out, "T%u", e->thread);
    if (e->kind != TSL_EV_NONE)
        tsl_buf_add(out, " %s", tsl_event_name(e->kind));
    place(sites, e->site, out);
}

// What the runtime has named as not controlled is the first to be suspected.
static const tsl_note *suspect(const tsl_census *census) {
    for (uint32_t i = 0; census && i < census->nnotes && i < TSL_MAX_NOTES; i++)
        if (census->notes[i].reason == TSL_REASON_OUTSIDE ||
            census->notes[i].reason == TSL_REASON_UNCONTROLLED ||
            census->notes[i].reason == TSL_REASON_UNKNOWN_CALL)
            return &census->notes[i];
    return NULL;
}

static void likely_source(const tsl_sites *sites, const tsl_census *census, tsl_buf *out) {
    const tsl_note *note = suspect(census);
    tsl_buf_puts(out, "\n    likely source: ");
    if (note) {
        tsl_buf_puts(out, note->text);
        place(sites, note->site, out);
        tsl_buf_putc(out, '\n');
    } else
        tsl_buf_puts(out,
                     "something the program reads from outside differs from run to run (time, "
                     "files, other processes);\n    teasel selfcheck shows the first step that "
                     "does\n");
}

void tsl_divergence_text(const tsl_stray_run *stray, const tsl_sites *sites,
                         const tsl_census *census, tsl_buf *out) {
    const tsl_divergence *d = &stray->divergence;
    bool knows = d->expected.kind != TSL_EV_NONE || d->came.kind != TSL_EV_NONE;
    tsl_buf_add(out, "  run %" PRIu64 " was the first to go another way than planned", stray->run);
    if (knows) {
        tsl_buf_add(out, ": step %zu was to be ", d->step + 1);
        step(&d->expected, sites, out);
        tsl_buf_puts(out, d->came.kind == TSL_EV_NONE ? ", and the run ended before it" : ", and ");
        if (d->came.kind != TSL_EV_NONE) {
            step(&d->came, sites, out);
            tsl_buf_puts(out, " came");
        }
    }
    if (stray->because[0])
        tsl_buf_add(out, " (%s)", stray->because);
    likely_source(sites, census, out);
}
