// Fuel: how many steps may the running thread take without asking?
//
// What was granted may outrun neither the room for events nor what is looked at behind a number of
// steps.  The rest is held back, and granted later.
#ifndef TSLRT_FUEL_H
#define TSLRT_FUEL_H

#include "quick.h"

static inline int64_t fuel_steps(void) { return RUN->fuel.until - TSL_HOT->fuel; }

static inline void fuel_hold_back(int64_t most) {
    if (most < 0)
        most = 0;
    if (TSL_HOT->fuel > most) {
        int64_t held = TSL_HOT->fuel - most;
        RUN->fuel.beyond += held;
        RUN->fuel.until -= held;
        TSL_HOT->fuel = most;
    }
}

// Grants `fuel` behind `steps` steps.  `coming` events are decided but not recorded yet.
static inline void fuel_set(int64_t steps, int64_t fuel, int64_t coming) {
    int64_t room = RUN->trace.limit - TSL_HOT->cursor - coming;
    int64_t most = RUN->fuel.ask_at - steps;
    if (most > room)
        most = room;
    if (most < 0)
        most = 0;
    RUN->fuel.beyond = fuel > most ? fuel - most : 0;
    fuel -= RUN->fuel.beyond;
    TSL_HOT->fuel = fuel;
    RUN->fuel.until = steps + fuel;
}

bool fuel_is_used_up(void); // fuel that was only held back is handed out first: stop.c

// After fuel was taken for a step: must the scheduler decide?
static inline bool fuel_must_ask(void) {
    if (TSL_HOT->fuel >= 0)
        return TSL_HOT->cursor >= RUN->trace.limit;
    if (RUN->fuel.beyond <= 0 && TSL_HOT->fuel == -1)
        return true; // `pick` looks at the number of steps
    return fuel_is_used_up();
}

// The step being decided belongs to the grant.
static inline void fuel_grant(int64_t count) { fuel_set(fuel_steps(), count - 1, 1); }

#endif
