#include "model/state.h"

#define WRITER (1u << 31)
#define GONE (1u << 31) // a destroyed semaphore: threads that wait for it return with an error

static uint32_t lock(uint32_t state, unsigned thread) {
    uint32_t mine = thread + 1u;
    return (state & 0xffff) == mine ? state + (1u << 16) : mine | 1u << 16;
}

static uint32_t unlock(uint32_t state) { return state >> 16 > 1 ? state - (1u << 16) : 0; }

uint32_t tsl_state_after(uint32_t state, const tsl_access *a, unsigned thread) {
    enum tsl_event_changes changes = (enum tsl_event_changes)tsl_event_row_of(a->kind)->changes;
    if (changes ==
        TSL_CHANGES_TAKEN) // the thread clears its own flag: not a write, as no other can tell
        return (a->res & TSL_SIGNAL_TAKEN) && !TSL_BROKEN(SIGNAL_TAKEN) ? 0 : state;
    if (a->role == TSL_ROLE_READ)
        return state;
    switch (changes) {
    case TSL_CHANGES_ZERO:
    case TSL_CHANGES_ONE:
    case TSL_CHANGES_TWO:
        return changes - TSL_CHANGES_ZERO;
    case TSL_CHANGES_RESULT:
        return a->res;
    case TSL_CHANGES_MORE:
        return state + 1;
    case TSL_CHANGES_LESS:
        return state ? state - 1 : 0;
    case TSL_CHANGES_WAKE:
        return state > a->res ? state - a->res : 0;
    case TSL_CHANGES_TAKE:
        return state && a->res != TSL_RES_CANCELLED ? state - 1 : state;
    case TSL_CHANGES_GONE:
        return GONE;
    case TSL_CHANGES_LOCK:
        return lock(state, thread);
    case TSL_CHANGES_UNLOCK:
        return unlock(state);
    case TSL_CHANGES_WRITER:
        return WRITER;
    case TSL_CHANGES_RW_UNLOCK:
        return state & WRITER || state == 0 ? 0 : state - 1;
    case TSL_CHANGES_ARRIVE:
        return tsl_state_round(state) << 1 | (a->res == 0);
    case TSL_CHANGES_ROUND:
        return (tsl_state_round(state) + 1) << 1;
    case TSL_CHANGES_SENT:
        return (a->res & TSL_KILL_PENDS) && !TSL_BROKEN(SIGNAL_PENDS) ? state : 1;
    case TSL_CHANGES_CHANNEL:
        return a->res & 3u;
    case TSL_CHANGES_KEEP:
    case TSL_CHANGES_TAKEN:
        break;
    }
    return state;
}

static bool is_met(enum tsl_event_needs needs, uint32_t state, unsigned thread) {
    switch (needs) {
    case TSL_NEEDS_FREE:
        return state == 0;
    case TSL_NEEDS_OWN:
        return state == 0 || (state & 0xffff) == thread + 1u;
    case TSL_NEEDS_UNWRITTEN:
        return !(state & WRITER);
    case TSL_NEEDS_SOME:
        return state > 0;
    case TSL_NEEDS_IDLE:
        return state != 1;
    case TSL_NEEDS_ENDED:
        return state == 1;
    case TSL_NEEDS_READABLE:
        return state & 1;
    case TSL_NEEDS_WRITABLE:
        return !(state & 2);
    case TSL_NEEDS_NOTHING:
        break;
    }
    return true;
}

static enum tsl_event_needs needs_of(unsigned kind) {
    return (enum tsl_event_needs)tsl_event_row_of(kind)->needs;
}

bool tsl_state_enabled(uint32_t state, unsigned kind, unsigned thread) {
    return !tsl_state_blocks(kind) || is_met(needs_of(kind), state, thread);
}

enum tsl_predicted tsl_state_predict(uint32_t state, unsigned kind) {
    enum tsl_event_needs needs = needs_of(kind);
    if (!tsl_op_varies(kind) || needs == TSL_NEEDS_NOTHING)
        return TSL_PREDICT_UNKNOWN;
    // Recursive locks by the owner race with nothing, so they do not come here.
    bool change = needs == TSL_NEEDS_IDLE ? state == 0 : is_met(needs, state, 0);
    return change ? TSL_PREDICT_CHANGE : TSL_PREDICT_READ;
}
