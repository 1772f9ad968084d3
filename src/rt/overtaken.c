// Did another thread change what a call of libc uses, while callbacks of that call ran?
//
// The runtime records what the call touches before the first callback and after the last one.
// Between callbacks, libc may look again at what it uses (lsearch at the number of elements,
// tdelete at the tree), which is not recorded.  That matters only if another thread has changed it
// meanwhile, and the events of the run show whether one has.
#include "extern.h"
#include "notes.h"

static bool is_told(const tsl_event *e) {
    unsigned kind = e->kind == TSL_EV_ALSO ? e->res & 255u : e->kind;
    return (e->kind == TSL_EV_ALSO || tsl_is_memory(e->kind)) &&
           (tsl_is_memory(kind) || kind == TSL_EV_STATE);
}

bool tslrt_overtaken(const tsl_event *call) {
    const tsl_event *end = call + 1;
    while (end < TSL_HOT->cursor && tsl_is_note(end->kind))
        end++;
    for (const tsl_event *e = end; e < TSL_HOT->cursor; e++) {
        if (e->thread == call->thread || !is_told(e))
            continue;
        tsl_access other = tslrt_access_of(e, TSL_HOT->cursor);
        for (const tsl_event *own = call + 1; own < end; own++) {
            tsl_access mine = is_told(own) ? tslrt_access_of(own, end) : (tsl_access){0};
            if (mine.kind && tsl_access_conflict(&mine, &other))
                return true;
        }
    }
    return false;
}
