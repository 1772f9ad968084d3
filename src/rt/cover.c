// Coverage: the map of points, and what they mean.
//
// Instrumented code only ever stores 1 into the map.  No restart clears it.  Under the tool, the
// map becomes part of the shared file before main, so it outlives the process; before that, and
// without the tool, it is memory of the process.
//
// When a run ends, points that are set in the map and not yet in the log are appended to it.
#include <string.h>
#include <sys/mman.h>

#include "cover.h"
#include "start.h"
#include "state.h"
#include "sys.h"

#define MAP ((uint8_t *)TSL_COVER_ADDR)

enum { WORDS = 8 }; // compared together

void tslrt_cover_init(void) { tslrt_map(TSL_COVER_ADDR, 2 * TSL_COVER_SIZE, "coverage"); }

// Points that do not fit into the map are not counted, nor those of modules that are loaded after
// the tool has read the tables.
void tslrt_cover_register(tsl_module *module) {
    bool late = tslrt->kind == RT_SERVED;
    if (late || module->npoints > TSL_COVER_SIZE - tslrt->npoints) {
        *module->cover = MAP + TSL_COVER_SIZE;
        return;
    }
    *module->cover = MAP + tslrt->npoints;
    tslrt->npoints += module->npoints;
}

// Constructors have run by now: the points that they reached are copied to the shared map.
void tslrt_cover_share(int fd, const tsl_wire *wire) {
    uint8_t *shared = (uint8_t *)wire + wire->cover_map_offset;
    for (uint32_t i = 0; i < tslrt->npoints; i++)
        shared[i] |= MAP[i];
    long at = tslrt_mmap(TSL_COVER_ADDR, TSL_COVER_SIZE, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, (long)wire->cover_map_offset);
    if (at != (long)TSL_COVER_ADDR)
        tslrt_die("can't map the tool's shared memory for coverage");
}

static bool has_room(const tsl_wire *wire, const tsl_module *m) {
    uint64_t funcs = (uint64_t)wire->ncover_funcs + m->ncover_funcs;
    uint64_t places = (uint64_t)wire->ncover_places + m->ncover_places;
    return funcs * sizeof(tsl_cover_func) <= wire->cover_funcs_size &&
           places * sizeof(tsl_cover_place) <= wire->cover_places_size;
}

// Appends the tables of a module; `strings` is where its strings begin in the common table.
void tslrt_cover_publish(tsl_wire *wire, const tsl_module *m, uint32_t strings) {
    char *base = (char *)wire;
    tsl_cover_func *funcs = (tsl_cover_func *)(base + wire->cover_funcs_offset);
    tsl_cover_place *places = (tsl_cover_place *)(base + wire->cover_places_offset);
    uint32_t first = (uint32_t)(*m->cover - MAP);
    wire->npoints = tslrt->npoints;
    if (first >= TSL_COVER_SIZE || !has_room(wire, m)) {
        tslrt_say("too many places: the coverage of %s is not counted", m->name);
        return;
    }
    for (uint32_t i = 0; i < m->ncover_funcs; i++) {
        tsl_cover_func *f = &funcs[wire->ncover_funcs++];
        *f = m->cover_funcs[i];
        f->file += strings;
        f->folder += strings;
        f->name += strings;
        f->point += first;
    }
    for (uint32_t i = 0; i < m->ncover_places; i++) {
        tsl_cover_place *p = &places[wire->ncover_places++];
        *p = m->cover_places[i];
        p->point += first;
    }
}

// ---------------------------------------------------------------- the log

static void log_points(tsl_cover_log *log, uint8_t *logged, uint32_t from) {
    for (uint32_t i = from; i < from + 8 * WORDS && i < tslrt->npoints; i++)
        if (MAP[i] && !logged[i] && log->n < tslrt->npoints) {
            logged[i] = 1;
            log->points[log->n++] = i;
        }
}

uint32_t tslrt_cover_log(void) {
    char *base = (char *)tslrt->wire;
    tsl_cover_log *log = (tsl_cover_log *)(base + tslrt->wire->cover_log_offset);
    uint8_t *logged = (uint8_t *)base + tslrt->wire->cover_logged_offset;
    for (uint32_t i = 0; i < tslrt->npoints; i += 8 * WORDS) {
        const uint64_t *now = (const uint64_t *)(MAP + i), *then = (const uint64_t *)(logged + i);
        uint64_t changed = 0;
        for (unsigned word = 0; word < WORDS; word++)
            changed |= now[word] ^ then[word];
        if (changed)
            log_points(log, logged, i);
    }
    return log->n;
}
