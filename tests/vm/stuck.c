// Finds threads that wait for ever; see stuck.h.
#include "vm/stuck.h"

#include "vm/effect.h"

// The threads that hold what `t` waits for, one bit each.
static unsigned awaited(const tsl_vm_machine *m, unsigned t) {
    unsigned holders = 0, n = m->program->nthreads;
    tsl_vm_step p = tsl_vm_pending(m, t);
    if (m->threads[t].phase != TSL_VM_AT_CODE && m->threads[t].phase != TSL_VM_RELOCK)
        return 0;
    for (unsigned i = 0; i < TSL_VM_OBJECTS; i++) {
        if (p.kind == TSL_EV_LOCK && p.addr == tsl_vm_object(TSL_VM_AT_MUTEX, i))
            holders |= 1u << m->owner[i] >> 1;
        if (p.kind == TSL_EV_ONCE && p.addr == tsl_vm_object(TSL_VM_AT_ONCE, i))
            holders |= 1u << m->runner[i] >> 1;
        if ((p.kind != TSL_EV_RDLOCK && p.kind != TSL_EV_WRLOCK) ||
            p.addr != tsl_vm_object(TSL_VM_AT_RW, i))
            continue;
        holders |= 1u << m->writer[i] >> 1;
        for (unsigned r = 0; r < n && p.kind == TSL_EV_WRLOCK; r++)
            holders |= (unsigned)(m->reads[i][r] > 0) << r;
    }
    for (unsigned child = 0; child < n && p.kind == TSL_EV_JOIN; child++)
        if (p.addr == tsl_vm_thread_addr(tsl_vm_number(m, child)))
            holders |= 1u << child;
    return holders;
}

static bool is_lost(const tsl_vm_machine *m, unsigned t, unsigned path) {
    if (m->threads[t].phase == TSL_VM_ENDED || (path >> t & 1))
        return true;
    unsigned holders = tsl_vm_is_enabled(m, t) ? 0 : awaited(m, t);
    for (unsigned i = 0; holders >> i; i++)
        if ((holders >> i & 1) && is_lost(m, i, path | 1u << t))
            return true;
    return false;
}

bool tsl_vm_has_stuck(const tsl_vm_machine *m, unsigned exiting) {
    for (unsigned t = 0; t < m->program->nthreads; t++)
        if (t != exiting && m->threads[t].phase != TSL_VM_ENDED &&
            m->threads[t].phase != TSL_VM_UNBORN && is_lost(m, t, 0))
            return true;
    return false;
}
