#include "cli/races.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

// ---------------------------------------------------------------- places

static bool is_on_line(const tsl_sites *sites, uint32_t site, const char *file, uint32_t line) {
    tsl_where where;
    return tsl_sites_get(sites, site, &where) && where.line == line &&
           strcmp(where.file, file) == 0;
}

static bool same_line(const void *self, uint32_t a, uint32_t b) {
    tsl_where where;
    return tsl_sites_get(self, a, &where) && is_on_line(self, b, where.file, where.line);
}

tsl_lines tsl_races_lines(const tsl_sites *sites) { return (tsl_lines){sites, same_line}; }

// Some site on this line, or 0.
static uint32_t find_site(const tsl_sites *sites, const char *file, uint32_t line) {
    for (size_t i = 1; file && i < sites->nsites; i++)
        if (is_on_line(sites, (uint32_t)i, file, line))
            return (uint32_t)i;
    return 0;
}

// ---------------------------------------------------------------- bugs

tsl_bug *tsl_races_bug(const tsl_session *session, const tsl_plan *plan,
                       const tsl_shown_race *shown) {
    return tsl_bug_new_race(&shown->run, plan, &session->sites, session->symbols, shown->at[0],
                            shown->at[1], shown->before, shown->is_weak ? &shown->chain : NULL);
}

bool tsl_races_replay(const tsl_session *session, const tsl_plan *plan, const char *file,
                      uint32_t line, tsl_run *run, tsl_bug **bug, tsl_err *err) {
    tsl_lines lines = tsl_races_lines(&session->sites);
    uint32_t site = find_site(&session->sites, file, line);
    tsl_shown_race shown = {0};
    bool ok = tsl_race_show(&session->runner, plan, &lines, site, &shown, err);
    *bug = ok && shown.is_race ? tsl_races_bug(session, plan, &shown) : NULL;
    *run = shown.run;
    shown.run = (tsl_run){0};
    tsl_shown_race_drop(&shown);
    return ok;
}

// ---------------------------------------------------------------- pairs that are only noted

static void note(const tsl_touched *t, const tsl_sites *sites, tsl_note *out) {
    tsl_where where = {.file = "?"};
    tsl_sites_get(sites, t->access, &where);
    *out = (tsl_note){.site = t->call,
                      .reason = t->inside ? TSL_REASON_UNCONTROLLED : TSL_REASON_UNKNOWN_CALL};
    snprintf(out->text, sizeof out->text,
             t->inside
                 ? "another thread reads bytes of the object as plain memory at %s:%u: not every "
                   "order is tried"
                 : "code that is not instrumented is handed what another thread accesses at %s:%u",
             tsl_file_base(where.file), where.line);
}

void tsl_races_note(const tsl_suspects *suspects, const tsl_sites *sites, tsl_census *census) {
    for (size_t i = 0; i < suspects->touched.len; i++) {
        tsl_note text;
        note(&suspects->touched.data[i], sites, &text);
        census->weakened |= 1ull << text.reason;
        if (census->nnotes < TSL_MAX_NOTES)
            census->notes[census->nnotes++] = text;
    }
}
