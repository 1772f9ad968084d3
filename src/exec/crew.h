// Several processes (workers) of one program that share the Plans of a campaign.
//
// A crew is used like one runner: Traces come out in the order in which the Plans went in,
// whichever worker executed them, so what is found does not depend on the number of workers.
#ifndef TSL_EXEC_CREW_H
#define TSL_EXEC_CREW_H

#include "exec/exec.h"

enum { TSL_MAX_WORKERS = 64 };

typedef struct tsl_crew tsl_crew;

// Starts `workers` processes up to main.  Returns NULL and fills `err` when one of them fails.
tsl_crew *tsl_crew_new(const tsl_exec_options *options, unsigned workers, tsl_err *err);
void tsl_crew_free(tsl_crew *crew);

// These do the same as the functions of exec.h.
unsigned tsl_crew_room(const tsl_crew *crew);
unsigned tsl_crew_in_flight(const tsl_crew *crew);
bool tsl_crew_submit(tsl_crew *crew, const tsl_plan *plan, tsl_err *err);
bool tsl_crew_collect(tsl_crew *crew, tsl_trace *trace, tsl_err *err);
void tsl_crew_set_mode(tsl_crew *crew, enum tsl_mode mode);
enum tsl_mode tsl_crew_mode(const tsl_crew *crew);
void tsl_crew_set_run_seconds(tsl_crew *crew, double seconds);
void tsl_crew_forget_cover(tsl_crew *crew);
uint64_t tsl_crew_restarts(const tsl_crew *crew); // of all workers together

unsigned tsl_crew_workers(const tsl_crew *crew);
// Ends all workers but the first.  Only with nothing in flight.
void tsl_crew_dismiss(tsl_crew *crew);

// What any of the workers told; valid until the next call.
const tsl_census *tsl_crew_census(tsl_crew *crew);
const tsl_site *tsl_crew_sites(const tsl_crew *crew, size_t *nsites, const char **strings,
                               size_t *nstrings);

// The coverage of one worker: each has a log of its own.
tsl_cover_tables tsl_crew_cover(const tsl_crew *crew, unsigned worker);
bool tsl_crew_forget(tsl_crew *crew, tsl_err *err); // see exec.h
unsigned tsl_crew_last(const tsl_crew *crew);       // the worker whose Trace was collected last

#endif
