// Prints the census; see census.h.
//
// The census was written by the program under test, so its counts and strings are not trusted.
#include "report/census.h"

#include <string.h>

#include "report/names.h"

static uint32_t at_most(uint32_t n, uint32_t max) { return n < max ? n : max; }

static const char *class_text(uint32_t class_) {
    return class_ == TSL_EXTERN_LEAKS ? "acts outside the process" : "not instrumented";
}

static bool has_opaque(const tsl_census *census, const tsl_opaque *o) {
    for (uint32_t i = 0; i < at_most(census->nopaque, TSL_MAX_OPAQUE); i++)
        if (!strncmp(census->opaque[i].name, o->name, sizeof o->name))
            return true;
    return false;
}

static bool has_note(const tsl_census *census, const tsl_note *note) {
    for (uint32_t i = 0; i < at_most(census->nnotes, TSL_MAX_NOTES); i++)
        if (!strncmp(census->notes[i].text, note->text, sizeof note->text))
            return true;
    return false;
}

static void opaque_row(const tsl_opaque *o, tsl_buf *out) {
    size_t start = out->len;
    tsl_buf_puts(out, "    ");
    tsl_names_clean(o->name, strnlen(o->name, sizeof o->name), out);
    size_t used = out->len - start;
    tsl_buf_pad(out, used < 28 ? 28 - used : 1);
    tsl_buf_add(out, "%6u call%s  %s\n", o->calls, o->calls == 1 ? " " : "s",
                class_text(o->class_));
}

static void opaque(const tsl_census *census, const tsl_census *known, tsl_buf *out) {
    enum { MOST = 20 };
    uint32_t n = at_most(census->nopaque, TSL_MAX_OPAQUE), fresh = 0;
    for (uint32_t i = 0; i < n; i++)
        fresh += !has_opaque(known, &census->opaque[i]);
    if (fresh == 0)
        return;
    tsl_buf_add(out, "  calls into code that is not instrumented (%u functions%s):\n", fresh,
                n == TSL_MAX_OPAQUE ? " or more" : "");
    for (uint32_t i = 0, rows = 0; i < n && rows < MOST; i++)
        if (!has_opaque(known, &census->opaque[i])) {
            opaque_row(&census->opaque[i], out);
            rows++;
        }
    if (fresh > MOST)
        tsl_buf_add(out, "    and %u more\n", fresh - MOST);
}

static void notes(const tsl_census *census, const tsl_census *known, const tsl_sites *sites,
                  tsl_buf *out) {
    for (uint32_t i = 0; i < at_most(census->nnotes, TSL_MAX_NOTES); i++) {
        const tsl_note *note = &census->notes[i];
        tsl_where where;
        if (has_note(known, note))
            continue;
        tsl_buf_puts(out, "  note: ");
        tsl_names_clean(note->text, strnlen(note->text, sizeof note->text), out);
        if (tsl_sites_get(sites, note->site, &where))
            tsl_buf_add(out, " (%s:%u)", where.file, where.line);
        tsl_buf_putc(out, '\n');
    }
}

void tsl_census_text(const tsl_census *census, const tsl_sites *sites, tsl_buf *out) {
    static const tsl_census nothing;
    tsl_buf_add(out, "census: %u objects, %u functions, %u accesses and %u atomics instrumented",
                census->objects, census->functions, census->accesses, census->atomics);
    if (census->indirect_calls)
        tsl_buf_add(out, ", %u indirect calls", census->indirect_calls);
    if (census->asm_blocks)
        tsl_buf_add(out, ", %u blocks of assembly", census->asm_blocks);
    tsl_buf_putc(out, '\n');
    opaque(census, &nothing, out);
    notes(census, &nothing, sites, out);
}

void tsl_census_later_text(const tsl_census *census, const tsl_census *first,
                           const tsl_sites *sites, tsl_buf *out) {
    tsl_buf text = {0};
    opaque(census, first, &text);
    notes(census, first, sites, &text);
    if (text.len)
        tsl_buf_add(out, "census of later runs:\n%s", tsl_buf_text(&text));
    tsl_buf_drop(&text);
}
