// What happens when fuel is used up?
#include "fuel.h"

uint64_t tslrt_steps(void) { return (uint64_t)fuel_steps(); }

bool fuel_is_last_step(void) {
    tslrt_filter_look(fuel_steps());
    return tslrt_steps() > RUN->plan->max_steps;
}

bool fuel_is_used_up(void) {
    if (TSL_HOT->fuel != -1) // it is asked for at the first step too many
        tslrt_corrupted();
    if (TSL_HOT->cursor >= RUN->trace.limit ||
        (fuel_steps() > RUN->fuel.ask_at && fuel_is_last_step()))
        return true;
    fuel_set(fuel_steps(), RUN->fuel.beyond - 1, 1);
    return false;
}
