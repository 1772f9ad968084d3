// Several processes of one program that share the Plans of a campaign.
//
// To who hands in Plans it is one runner: Traces come out in the order in which the Plans went
// in, whoever executed them, so what is found does not depend on how many there are.
#ifndef TSL_EXEC_CREW_H
#define TSL_EXEC_CREW_H

#include "exec/exec.h"

enum { TSL_MAX_WORKERS = 64 };

typedef struct tsl_crew tsl_crew;

// Starts `workers` processes up to main.  NULL and a filled err when one of them fails.
tsl_crew *tsl_crew_new(const tsl_exec_options *options, unsigned workers, tsl_err *err);
void tsl_crew_free(tsl_crew *crew);

// As in exec.h.
unsigned tsl_crew_room(const tsl_crew *crew);
unsigned tsl_crew_in_flight(const tsl_crew *crew);
bool tsl_crew_submit(tsl_crew *crew, const tsl_plan *plan, tsl_err *err);
bool tsl_crew_collect(tsl_crew *crew, tsl_trace *trace, tsl_err *err);
void tsl_crew_set_mode(tsl_crew *crew, enum tsl_mode mode);
enum tsl_mode tsl_crew_mode(const tsl_crew *crew);
void tsl_crew_set_run_seconds(tsl_crew *crew, double seconds);
void tsl_crew_forget_cover(tsl_crew *crew);
uint64_t tsl_crew_restarts(const tsl_crew *crew); // of all together

unsigned tsl_crew_workers(const tsl_crew *crew);
// From here on the first one works alone.  Only with nothing in flight.
void tsl_crew_dismiss(tsl_crew *crew);

// What any of them told; valid until the next call.
const tsl_census *tsl_crew_census(tsl_crew *crew);
const tsl_site *tsl_crew_sites(const tsl_crew *crew, size_t *nsites, const char **strings,
                               size_t *nstrings);

// Each has a log of its own of what it has covered.
tsl_cover_tables tsl_crew_cover(const tsl_crew *crew, unsigned worker);
bool tsl_crew_forget(tsl_crew *crew, tsl_err *err); // see exec.h
unsigned tsl_crew_last(const tsl_crew *crew);       // who executed the Plan collected last

#endif
