// Loops that wait; see wait.h.
#include "vm/wait.h"

#include <string.h>

#include "base/err.h"
#include "vm/effect.h"

bool tsl_vm_begins_loop(const tsl_vm_code *code, unsigned pc) {
    for (unsigned i = pc + 1; i < code->len; i++)
        if (tsl_vm_loop_from(code, i) == (int)pc)
            return true;
    return false;
}

bool tsl_vm_waits(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_round *r = &m->rounds[t];
    return m->spinning != TSL_VM_SPIN_RUNS && !r->changed && !r->held;
}

static uint64_t value_now(const tsl_vm_machine *m, const tsl_vm_look *look) {
    uint64_t value = 0;
    if (!look->size)
        return m->owner[look->obj];
    memcpy(&value, (const char *)&m->words[look->obj] + look->off, look->size);
    return value;
}

bool tsl_vm_saw_change(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_round *r = &m->rounds[t];
    for (unsigned i = 0; i < r->n; i++)
        if (value_now(m, &r->looks[i]) != r->looks[i].value)
            return true;
    return r->stale;
}

uint64_t tsl_vm_awaited(const tsl_vm_machine *m, unsigned t) {
    const tsl_vm_round *r = &m->rounds[t];
    if (!r->n)
        return 0;
    return r->looks[0].size ? tsl_vm_word_addr(r->looks[0].obj) + r->looks[0].off
                            : tsl_vm_object(TSL_VM_AT_MUTEX, r->looks[0].obj);
}

bool tsl_vm_has_effect(const tsl_vm_machine *m, unsigned t) {
    if (m->threads[t].phase != TSL_VM_AT_CODE || tsl_vm_at_end(m, t))
        return m->threads[t].phase != TSL_VM_AWAITS;
    switch (tsl_vm_current(m, t)->op) {
    case TSL_VM_READ:
    case TSL_VM_READAT:
    case TSL_VM_VREAD:
    case TSL_VM_AREAD:
    case TSL_VM_CAS:
    case TSL_VM_CASW:
    case TSL_VM_XCHG:
    case TSL_VM_LOCK:
    case TSL_VM_UNLOCK:
    case TSL_VM_TRYLOCK:
    case TSL_VM_YIELD:
    case TSL_VM_FENCE:
        return false;
    default:
        return true;
    }
}

static void look(tsl_vm_machine *m, unsigned t, tsl_vm_look at) {
    tsl_vm_round *r = &m->rounds[t];
    if (r->n == TSL_VM_LOOKS)
        r->changed = true; // too long to tell
    else
        r->looks[r->n++] = at;
}

void tsl_vm_round_read(tsl_vm_machine *m, unsigned t, const tsl_vm_ins *ins, uint64_t value) {
    look(m, t, (tsl_vm_look){value, ins->obj, ins->off, ins->size});
}

void tsl_vm_round_saw_taken(tsl_vm_machine *m, unsigned t, unsigned mutex) {
    unsigned owner = m->owner[mutex];
    look(m, t, (tsl_vm_look){owner, (uint8_t)mutex, 0, 0});
    if (m->rounds[owner - 1].held >> mutex & 1)
        m->rounds[owner - 1].changed = true;
}

void tsl_vm_round_unlocked(tsl_vm_machine *m, unsigned t, unsigned mutex) {
    tsl_vm_round *r = &m->rounds[t];
    if (!(r->held >> mutex & 1))
        r->changed = true; // taken before the loop
    r->held &= (uint8_t) ~(1u << mutex);
}
