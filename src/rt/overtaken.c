// Did another thread change what a call of libc uses, while callbacks of that call ran?
//
// The runtime records what the call touches before the first callback and after the last one.
// Between callbacks, libc may look again at what it uses (lsearch at the number of elements,
// tdelete at the tree), which is not recorded.  That matters only if another thread has changed it
// meanwhile, and the events of the run show whether one has.
#include "overtaken.h"
#include "abi/conflict.h"
#include "abi/hooks.h"

static unsigned kind_of(const tsl_event *e) {
    return e->kind == TSL_EV_ALSO ? e->res & 255u : e->kind;
}

static tsl_access access_of(const tsl_event *e) {
    uint64_t length = e + 1 < TSL_HOT->cursor && e[1].kind == TSL_EV_LENGTH ? e[1].addr : 1;
    unsigned res = e->kind == TSL_EV_ALSO ? e->res >> 8 : e->res;
    return tsl_access_make(kind_of(e), res, e->addr, tsl_access_size(e, length));
}

static bool is_told(const tsl_event *e) {
    unsigned kind = kind_of(e);
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
        tsl_access other = access_of(e);
        for (const tsl_event *own = call + 1; own < end; own++) {
            tsl_access mine = is_told(own) ? access_of(own) : (tsl_access){0};
            if (mine.kind && tsl_access_conflict(&mine, &other))
                return true;
        }
    }
    return false;
}
