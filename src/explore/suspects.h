// Which pairs of accesses may be data races?
//
// Strategies, and race_watch.c for those that do not look themselves, tell of two accesses of one
// run.  Each new pair of sites becomes a suspect, with a Plan that leads to where both threads stand
// before their accesses.  After the search confirm.c runs that Plan.
//
// Two accesses that only weak atomics keep apart may never stand so.  For them there is a second
// Plan, of the run in which they were found, up to the second access.
#ifndef TSL_EXPLORE_SUSPECTS_H
#define TSL_EXPLORE_SUSPECTS_H

#include "base/set.h"
#include "explore/campaign.h"

// A step that a thread stands before.
typedef struct tsl_stand {
    uint16_t thread;
    uint8_t kind;
    uint32_t site;
    uint64_t addr;
} tsl_stand;

typedef struct tsl_suspect {
    tsl_plan plan;  // ends where both threads stand before their accesses
    tsl_plan whole; // only of TSL_FOUND_WEAK: ends with the second access
    tsl_stand side[2];
    uint64_t execution; // number of the run in which the pair was found
    enum tsl_found_how how;
} tsl_suspect;

// A pair that is not run, because nothing could confirm it.
typedef struct tsl_touched {
    uint32_t call;   // site of a call of unknown code; or, if `inside`, of the step that changes a
                     // synchronisation object
    uint32_t access; // site of the access to what the call is handed, or to bytes of the object
    bool inside;
} tsl_touched;

typedef struct tsl_suspects {
    tsl_race_sink sink; // points to this struct, which must not be moved
    tsl_search search;
    const tsl_campaign *campaign; // the campaign under way; its counts get the pairs
    tsl_set seen;                 // pairs of sites and how each was found
    TSL_VEC(tsl_suspect) list;
    TSL_VEC(tsl_touched) touched;
    tsl_step_list rest; // scratch
} tsl_suspects;

void tsl_suspects_init(tsl_suspects *suspects, const tsl_search *search,
                       const tsl_campaign *campaign);
void tsl_suspects_clear(tsl_suspects *suspects); // forgets everything found so far
void tsl_suspects_drop(tsl_suspects *suspects);

#endif
