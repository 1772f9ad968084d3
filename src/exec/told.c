// What the program told about itself (census, sites, coverage), with counts and strings checked.
#include <string.h>

#include "abi/layout.h"
#include "exec/inner.h"

static uint8_t *cover_map(const tsl_exec *x) {
    return (uint8_t *)x->file.wire + x->file.layout->cover_map_offset;
}

// Copies the counts of the first process; later processes have the same coverage points.
void tsl_exec_check_cover(tsl_exec *x) {
    const tsl_wire *wire = x->file.wire;
    if (x->before_main)
        return;
    x->ncover_funcs = wire->ncover_funcs;
    x->ncover_places = wire->ncover_places;
    x->npoints = wire->npoints;
    if (x->ncover_funcs > TSL_WIRE_COVER_FUNCS / sizeof(tsl_cover_func) ||
        x->ncover_places > TSL_WIRE_COVER_PLACES / sizeof(tsl_cover_place) ||
        x->npoints > TSL_COVER_SIZE)
        x->ncover_funcs = x->ncover_places = x->npoints = 0;
    x->before_main = tsl_alloc(x->npoints + 1);
    memcpy(x->before_main, cover_map(x), x->npoints);
}

const tsl_census *tsl_exec_census(tsl_exec *x) {
    x->census = x->file.wire->census;
    tsl_census *c = &x->census;
    c->weakened |= x->weakened;
    c->nopaque = c->nopaque > TSL_MAX_OPAQUE ? TSL_MAX_OPAQUE : c->nopaque;
    c->nnotes = c->nnotes > TSL_MAX_NOTES ? TSL_MAX_NOTES : c->nnotes;
    c->nmapped = c->nmapped > TSL_MAX_MODULES_MAPPED ? TSL_MAX_MODULES_MAPPED : c->nmapped;
    for (uint32_t i = 0; i < c->nopaque; i++)
        c->opaque[i].name[sizeof c->opaque[i].name - 1] = 0;
    for (uint32_t i = 0; i < c->nnotes; i++)
        c->notes[i].text[sizeof c->notes[i].text - 1] = 0;
    for (uint32_t i = 0; i < c->nmapped; i++)
        c->mapped[i].path[sizeof c->mapped[i].path - 1] = 0;
    return c;
}

const tsl_site *tsl_exec_sites(const tsl_exec *x, size_t *nsites, const char **strings,
                               size_t *nstrings) {
    const tsl_site *sites =
        (const tsl_site *)((const char *)x->file.wire + x->file.layout->sites_offset);
    *nsites = x->nsites;
    *strings = (const char *)(sites + x->nsites);
    *nstrings = x->nstrings;
    return sites;
}

tsl_cover_tables tsl_exec_cover(const tsl_exec *x) {
    const char *base = (const char *)x->file.wire;
    return (tsl_cover_tables){
        .funcs = (const tsl_cover_func *)(base + x->file.layout->cover_funcs_offset),
        .places = (const tsl_cover_place *)(base + x->file.layout->cover_places_offset),
        .reached = ((const tsl_cover_log *)(base + x->file.layout->cover_log_offset))->points,
        .nfuncs = x->ncover_funcs,
        .nplaces = x->ncover_places,
        .npoints = x->npoints};
}

void tsl_exec_forget_cover(tsl_exec *x) {
    TSL_BUG_ON(tsl_exec_in_flight(x) != 0, "in flight: %u", tsl_exec_in_flight(x));
    char *base = (char *)x->file.wire;
    memcpy(cover_map(x), x->before_main, x->npoints);
    memset(base + x->file.layout->cover_logged_offset, 0, x->npoints);
    ((tsl_cover_log *)(base + x->file.layout->cover_log_offset))->n = 0;
}
