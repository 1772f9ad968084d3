#include "model/state.h"

#include "abi/sabotage.h"

#define WRITER (1u << 31)
#define GONE (1u << 31) // a destroyed semaphore: threads that wait for it return with an error

static uint32_t lock(uint32_t state, unsigned thread) {
    uint32_t mine = thread + 1u;
    return (state & 0xffff) == mine ? state + (1u << 16) : mine | 1u << 16;
}

static uint32_t unlock(uint32_t state) { return state >> 16 > 1 ? state - (1u << 16) : 0; }

uint32_t tsl_state_after(uint32_t state, const tsl_access *a, unsigned thread) {
    if (a->kind == TSL_EV_TESTSIGNAL && (a->res & TSL_SIGNAL_TAKEN) && !TSL_BROKEN(SIGNAL_TAKEN))
        return 0; // the thread clears its own flag: not a write, as no other thread can tell
    if (a->role == TSL_ROLE_READ)
        return state;
    switch (a->kind) {
    case TSL_EV_LOCK:
    case TSL_EV_SPINLOCK:
    case TSL_EV_TRYLOCK:
    case TSL_EV_TIMEDLOCK:
        return lock(state, thread);
    case TSL_EV_UNLOCK:
        return unlock(state);
    case TSL_EV_RDLOCK:
    case TSL_EV_TRYRDLOCK:
        return state + 1;
    case TSL_EV_WRLOCK:
    case TSL_EV_TRYWRLOCK:
        return WRITER;
    case TSL_EV_RW_UNLOCK:
        return state & WRITER || state == 0 ? 0 : state - 1;
    case TSL_EV_SEM_INIT:
        return a->res;
    case TSL_EV_SEM_DESTROY:
        return GONE;
    case TSL_EV_SEM_WAIT:
    case TSL_EV_SEM_TRYWAIT:
        return state && a->res != TSL_RES_CANCELLED ? state - 1 : state;
    case TSL_EV_SEM_POST:
        return state + 1;
    case TSL_EV_ONCE:
        return 1;
    case TSL_EV_ONCE_DONE:
        return 2;
    case TSL_EV_BARRIER_ARRIVE:
        return tsl_state_round(state) << 1 | (a->res == 0);
    case TSL_EV_BARRIER_INIT:
        return (tsl_state_round(state) + 1) << 1;
    case TSL_EV_END:
    case TSL_EV_CANCEL:
        return 1;
    case TSL_EV_KILL:
        return (a->res & TSL_KILL_PENDS) && !TSL_BROKEN(SIGNAL_PENDS) ? state : 1;
    case TSL_EV_WAIT:
    case TSL_EV_FUTEX_WAIT:
        return state + 1;
    case TSL_EV_WOKEN:
    case TSL_EV_FUTEX_RETURN:
        return state ? state - 1 : 0;
    case TSL_EV_SIGNAL:
    case TSL_EV_FUTEX_WAKE:
        return state > a->res ? state - a->res : 0;
    case TSL_EV_BROADCAST:
        return 0;
    case TSL_EV_IO_READ:
    case TSL_EV_IO_WRITE:
    case TSL_EV_IO_TOUCH:
        return a->res & 3u;
    case TSL_EV_MUTEX_INIT:
    case TSL_EV_RW_INIT:
    case TSL_EV_CREATE:
        return 0;
    default:
        return state;
    }
}

bool tsl_state_enabled(uint32_t state, unsigned kind, unsigned thread) {
    switch (kind) {
    case TSL_EV_LOCK:
    case TSL_EV_SPINLOCK:
        return state == 0 || (state & 0xffff) == thread + 1u;
    case TSL_EV_RDLOCK:
        return !(state & WRITER);
    case TSL_EV_WRLOCK:
        return state == 0;
    case TSL_EV_SEM_WAIT:
        return state > 0;
    case TSL_EV_ONCE:
        return state != 1;
    case TSL_EV_JOIN:
        return state == 1;
    case TSL_EV_IO_READ:
        return state & 1;
    case TSL_EV_IO_WRITE:
        return !(state & 2);
    default:
        return true;
    }
}

enum tsl_predicted tsl_state_predict(uint32_t state, unsigned kind) {
    bool change;
    switch (kind) {
    case TSL_EV_TRYLOCK: // recursive locks by the owner race with nothing, so they do not come here
    case TSL_EV_TIMEDLOCK:
    case TSL_EV_TRYWRLOCK:
        change = state == 0;
        break;
    case TSL_EV_TRYRDLOCK:
        change = !(state & WRITER);
        break;
    case TSL_EV_SEM_TRYWAIT:
    case TSL_EV_SIGNAL:
    case TSL_EV_BROADCAST:
    case TSL_EV_FUTEX_WAKE:
        change = state > 0;
        break;
    case TSL_EV_ONCE:
        change = state == 0;
        break;
    case TSL_EV_TRYJOIN:
        change = state == 1;
        break;
    default:
        return TSL_PREDICT_UNKNOWN;
    }
    return change ? TSL_PREDICT_CHANGE : TSL_PREDICT_READ;
}
