// Data races: from a pair of accesses in some run to a bug that was seen.
//
// Whoever looks at runs (a strategy, the monitor) tells of two accesses that race.  Each new pair
// of places is kept with a Plan that leads to where both threads stand before their
// accesses.  When the search is over each Plan is run: what is seen there is reported, and its replay
// ends with the two accesses, one right behind the other.  Two accesses that only weak atomics keep
// apart may never stand so; then the run in which they were not ordered is shown, up to the
// second of them, and its clocks (model/sync.h) are the evidence.
#ifndef TSL_CLI_RACES_H
#define TSL_CLI_RACES_H

#include "base/set.h"
#include "cli/session.h"
#include "explore/campaign.h"
#include "report/bug.h"

// A step a thread stands before.
typedef struct tsl_stand {
    uint16_t thread;
    uint8_t kind;
    uint32_t site;
    uint64_t addr;
} tsl_stand;

typedef struct tsl_suspect {
    tsl_plan plan;  // ends where both stand
    tsl_plan whole; // of WEAK: ends with the second access
    tsl_stand side[2];
    uint64_t execution; // in which it was found
    enum tsl_found_how how;
} tsl_suspect;

// A call of unknown code, and what accesses the memory that it is handed.
typedef struct tsl_touched {
    uint32_t call, access; // sites
    bool inside;           // no call, but a change of a synchronisation object whose bytes are read
} tsl_touched;

typedef struct tsl_races {
    tsl_race_sink sink; // to be handed to whoever looks
    tsl_search search;
    const tsl_progress *progress; // of the campaign under way
    tsl_set seen;                 // pairs of places and kinds
    TSL_VEC(tsl_suspect) suspects;
    TSL_VEC(tsl_touched) touched;
    tsl_step_list rest;
    uint64_t unconfirmed; // could not be shown
    uint64_t untried;     // the time was up before they were looked at
    void (*found)(void *finder, tsl_bug *bug,
                  size_t number); // told of each that was shown, or NULL
    void *finder;
} tsl_races;

// Stays where it is: the sink points to it.
void tsl_races_init(tsl_races *races, const tsl_search *search);
void tsl_races_clear(tsl_races *races); // forgets everything found so far
void tsl_races_drop(tsl_races *races);

// Runs what was found; appends bugs.  At most `runs` runs to make each shorter.
bool tsl_races_confirm(tsl_races *races, const tsl_session *session, unsigned runs, tsl_bugs *bugs,
                       tsl_err *err);

// Adds what may be races, and weakens a claim, to the census.
void tsl_races_note(const tsl_races *races, const tsl_sites *sites, tsl_census *census);

// Runs a Plan that ends with an access of a race; the other one is right before it, or somewhere
// before it, then at this place if one of those that race with it is there.  *bug is NULL if it does
// not show them; `run` is that run.
bool tsl_races_show(const tsl_session *session, const tsl_plan *plan, const char *file,
                    uint32_t line, tsl_run *run, tsl_bug **bug, tsl_err *err);

#endif
