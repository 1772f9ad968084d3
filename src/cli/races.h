// Data races as bugs.
//
// explore/ finds and confirms races, but knows nothing of reports; this file makes bugs of them.
#ifndef TSL_CLI_RACES_H
#define TSL_CLI_RACES_H

#include "cli/session.h"
#include "explore/race_show.h"
#include "explore/suspects.h"

tsl_lines tsl_races_lines(const tsl_sites *sites);

// The bug that was shown; the run must still be valid.
tsl_bug *tsl_races_bug(const tsl_session *session, const tsl_plan *plan,
                       const tsl_shown_race *shown);

// Adds pairs that nothing could confirm to the census, where they weaken the claim.
void tsl_races_note(const tsl_suspects *suspects, const tsl_sites *sites, tsl_census *census);

// Runs a Plan that ends with the second access of a race.  The first access is at this place, if
// several race with the second.  *bug is NULL if the run, which goes to `run`, shows no race.
bool tsl_races_replay(const tsl_session *session, const tsl_plan *plan, const char *file,
                      uint32_t line, tsl_run *run, tsl_bug **bug, tsl_err *err);

#endif
