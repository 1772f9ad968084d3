// Which suspects are data races?
//
// After the search the Plan of each suspect is run.  A pair is confirmed if both threads stand before
// their accesses and make them one right after the other, or, for pairs that only weak atomics keep
// apart, if the clocks of the run do not order them.
#ifndef TSL_EXPLORE_CONFIRM_H
#define TSL_EXPLORE_CONFIRM_H

#include "explore/race_show.h"
#include "explore/suspects.h"

// What becomes of confirmed races is up to the caller.
typedef struct tsl_race_reporter {
    void *self;
    tsl_lines lines;
    // Was a race between these sites reported already?
    bool (*is_known)(void *self, uint32_t a, uint32_t b);
    void (*report)(void *self, const tsl_suspect *suspect, const tsl_plan *plan,
                   const tsl_shown_race *shown);
} tsl_race_reporter;

// Runs what was found.  At most `runs` runs make the Plan of one suspect shorter.  Nothing may be in
// flight.
bool tsl_confirm(tsl_suspects *suspects, const tsl_runner *runner, unsigned runs,
                 const tsl_race_reporter *reporter, tsl_err *err);

#endif
