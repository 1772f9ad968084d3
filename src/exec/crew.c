#include "exec/crew.h"

#include <string.h>

#include "base/clock.h"

#define FORGET_SECONDS 0.2 // time for forgotten Traces to arrive, for all workers together

enum { RING = 64 * TSL_MAX_WORKERS }; // more Plans than all workers have room for

struct tsl_crew {
    tsl_exec *workers[TSL_MAX_WORKERS];
    unsigned n, last;
    uint8_t owners[RING]; // for each Plan in flight: the worker that has it
    unsigned first, flying;
    tsl_census census; // of all workers together
};

tsl_crew *tsl_crew_new(const tsl_exec_options *options, unsigned workers, tsl_err *err) {
    TSL_BUG_ON(workers == 0 || workers > TSL_MAX_WORKERS, "%u workers", workers);
    tsl_crew *crew = tsl_alloc(sizeof *crew);
    tsl_exec_options all = *options;
    all.workers = workers;
    for (; crew->n < workers; crew->n++) {
        crew->workers[crew->n] = tsl_exec_new(&all, err);
        if (!crew->workers[crew->n]) {
            tsl_crew_free(crew);
            return NULL;
        }
    }
    return crew;
}

static void let_go(tsl_crew *crew, unsigned keep) {
    while (crew->n > keep)
        tsl_exec_free(crew->workers[--crew->n]);
}

void tsl_crew_free(tsl_crew *crew) {
    if (!crew)
        return;
    let_go(crew, 0);
    tsl_free(crew);
}

unsigned tsl_crew_workers(const tsl_crew *crew) { return crew->n; }

void tsl_crew_dismiss(tsl_crew *crew) {
    TSL_BUG_ON(crew->flying != 0, "in flight: %u", crew->flying);
    let_go(crew, 1);
    crew->last = 0;
}

// ---------------------------------------------------------------- Plans in, Traces out

// The worker with most room.
static unsigned idlest(const tsl_crew *crew) {
    unsigned best = 0;
    for (unsigned i = 1; i < crew->n; i++)
        if (tsl_exec_room(crew->workers[i]) > tsl_exec_room(crew->workers[best]))
            best = i;
    return best;
}

unsigned tsl_crew_room(const tsl_crew *crew) {
    return tsl_exec_room(crew->workers[crew->n == 1 ? 0 : idlest(crew)]);
}

unsigned tsl_crew_in_flight(const tsl_crew *crew) { return crew->flying; }

bool tsl_crew_submit(tsl_crew *crew, const tsl_plan *plan, tsl_err *err) {
    unsigned worker = idlest(crew);
    crew->owners[(crew->first + crew->flying) % RING] = (uint8_t)worker;
    crew->flying++;
    return tsl_exec_submit(crew->workers[worker], plan, err);
}

bool tsl_crew_collect(tsl_crew *crew, tsl_trace *trace, tsl_err *err) {
    TSL_BUG_ON(crew->flying == 0, "nothing in flight");
    crew->last = crew->owners[crew->first];
    crew->first = (crew->first + 1) % RING;
    crew->flying--;
    return tsl_exec_collect(crew->workers[crew->last], trace, err);
}

bool tsl_crew_forget(tsl_crew *crew, tsl_err *err) {
    bool ok = true;
    double until = tsl_clock_now() + FORGET_SECONDS;
    for (unsigned i = 0; i < crew->n; i++)
        ok &= tsl_exec_forget(crew->workers[i], until, err);
    crew->flying = 0;
    return ok;
}

unsigned tsl_crew_last(const tsl_crew *crew) { return crew->last; }

// ---------------------------------------------------------------- all of them

void tsl_crew_set_mode(tsl_crew *crew, enum tsl_mode mode) {
    for (unsigned i = 0; i < crew->n; i++)
        tsl_exec_set_mode(crew->workers[i], mode);
}

enum tsl_mode tsl_crew_mode(const tsl_crew *crew) { return tsl_exec_mode(crew->workers[0]); }

void tsl_crew_set_run_seconds(tsl_crew *crew, double seconds) {
    for (unsigned i = 0; i < crew->n; i++)
        tsl_exec_set_run_seconds(crew->workers[i], seconds);
}

void tsl_crew_forget_cover(tsl_crew *crew) {
    for (unsigned i = 0; i < crew->n; i++)
        tsl_exec_forget_cover(crew->workers[i]);
}

uint64_t tsl_crew_restarts(const tsl_crew *crew) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < crew->n; i++)
        sum += tsl_exec_restarts(crew->workers[i]);
    return sum;
}

const tsl_site *tsl_crew_sites(const tsl_crew *crew, size_t *nsites, const char **strings,
                               size_t *nstrings) {
    return tsl_exec_sites(crew->workers[0], nsites, strings, nstrings);
}

tsl_cover_tables tsl_crew_cover(const tsl_crew *crew, unsigned worker) {
    return tsl_exec_cover(crew->workers[worker]);
}

// ---------------------------------------------------------------- the census

static void add_note(tsl_census *to, const tsl_note *note) {
    for (uint32_t i = 0; i < to->nnotes; i++)
        if (to->notes[i].site == note->site && strcmp(to->notes[i].text, note->text) == 0)
            return;
    if (to->nnotes < TSL_MAX_NOTES)
        to->notes[to->nnotes++] = *note;
}

static void add_opaque(tsl_census *to, const tsl_opaque *opaque) {
    for (uint32_t i = 0; i < to->nopaque; i++)
        if (strcmp(to->opaque[i].name, opaque->name) == 0)
            return;
    if (to->nopaque < TSL_MAX_OPAQUE)
        to->opaque[to->nopaque++] = *opaque;
}

const tsl_census *tsl_crew_census(tsl_crew *crew) {
    crew->census = *tsl_exec_census(crew->workers[0]);
    for (unsigned i = 1; i < crew->n; i++) {
        const tsl_census *other = tsl_exec_census(crew->workers[i]);
        crew->census.weakened |= other->weakened;
        for (uint32_t k = 0; k < other->nnotes; k++)
            add_note(&crew->census, &other->notes[k]);
        for (uint32_t k = 0; k < other->nopaque; k++)
            add_opaque(&crew->census, &other->opaque[k]);
    }
    return &crew->census;
}
