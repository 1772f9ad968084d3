#include "explore/found.h"

#include "model/race.h"

void tsl_race_tell(const tsl_race_sink *sink, const tsl_history *h, uint32_t first,
                   uint32_t second) {
    tsl_found found = {.history = h, .first = first, .second = second, .how = TSL_FOUND_ADJACENT};
    if (!tsl_race_is_data(h, first, second)) {
        if (!tsl_race_is_touched(h, first, second))
            return;
        found.how = TSL_FOUND_TOUCHED;
    }
    sink->found(sink->self, &found);
}
