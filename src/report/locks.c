// Finds the locks that a thread holds; see locks.h.
#include "report/locks.h"

static void unlock(tsl_locks *held, uint64_t addr) {
    for (size_t i = held->len; i-- > 0;)
        if (held->data[i].addr == addr) {
            tsl_vec_remove(held, i);
            return;
        }
}

static void take(tsl_locks *held, const tsl_access *a, uint32_t site) {
    if (a->res != 0 && a->res != EOWNERDEAD)
        return;
    if (tsl_is_lock(a->kind))
        tsl_vec_push(held, (tsl_lock){a->addr, site, a->kind});
    else if (tsl_is_unlock(a->kind))
        unlock(held, a->addr);
}

// Removes duplicates: a recursive lock is in the list as often as it was locked.
static void once_each(tsl_locks *held) {
    size_t kept = 0;
    for (size_t i = 0; i < held->len; i++) {
        bool again = false;
        for (size_t k = 0; k < kept; k++)
            again |= held->data[k].addr == held->data[i].addr;
        if (!again)
            held->data[kept++] = held->data[i];
    }
    held->len = kept;
}

void tsl_locks_held(const tsl_run *run, size_t position, unsigned thread, tsl_locks *out) {
    tsl_step_view step;
    tsl_vec_clear(out);
    for (size_t at = 0; tsl_run_step(run, at, &step) && step.event < position; at = step.next)
        for (unsigned i = 0; i < step.op.naccesses && step.op.thread == thread; i++)
            take(out, &step.op.access[i], step.site);
    once_each(out);
}

const char *tsl_lock_word(const tsl_lock *lock) {
    unsigned type = tsl_event_row_of(lock->kind)->type;
    if (type == TSL_SYNC_RWLOCK)
        return tsl_event_orders(lock->kind) == TSL_ORDERS_SHARE ? "read lock" : "write lock";
    return type == TSL_SYNC_SPIN ? "spin lock" : "mutex";
}
