// Accesses that the fast paths do not handle: ranges of bytes, fences, inline assembly.
#include "access.h"
#include "crash.h"
#include "notes.h"
#include "quick.h"
#include "sabotage.h"

// ---------------------------------------------------------------- ranges

void tslrt_range_end(unsigned kind, const void *p, uint64_t size, uint32_t site) {
    if (kind != TSL_EV_READ && kind != TSL_EV_VREAD)
        tslrt_wrote(p, size);
    tslrt_heap_check((uintptr_t)p, size, site, kind);
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    if (SELF->exclusive) {
        if (size)
            tslrt_exclusive_access(p, site, kind, size);
        return;
    }
    tslrt_record_arg(kind, p, TSL_ARG_RANGE | (SELF->cancel.async ? tslrt_looks() : 0), site);
    tslrt_note_length(size);
}

TSL_SLOW void __teasel_range_slow(void *p, uint32_t site, uint32_t kind, uint64_t size) {
    tslrt_range_begin(kind, p, site);
    tslrt_range_end(kind, p, size, site);
}

TSL_SLOW void __teasel_heap_slow(void *p, uint32_t site, uint32_t kind, uint64_t size) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING && TSL_HOT->solo_fuel < 0) {
        if (TSL_HOT->solo_fuel != -1)
            tslrt_corrupted();
        TSL_HOT->solo_fuel = INT64_MAX;
        if (tslrt_watched())
            tslrt_out_of_fuel(site);
    }
    tslrt_heap_check((uintptr_t)p, size, site, kind);
}

// ---------------------------------------------------------------- fences and assembly

void __teasel_fence(uint32_t site, uint32_t order) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    TSL_HOT->call_site = site;
    tslrt_op(TSL_EV_FENCE, NULL);
    TSL_HOT->cursor[-1].arg |= (uint8_t)(order << 4);
    TSL_HOT->weak |= order != __ATOMIC_SEQ_CST;
}

// What inline assembly does beyond its accesses weakens what can be claimed.
static void say_of_assembly(uint32_t site, uint32_t flags) {
    if (flags & TSL_ASM_OPAQUE)
        tslrt_weaken(TSL_REASON_ASSEMBLY,
                     "inline assembly may touch memory that no access tells: it is one "
                     "step, which depends on all others");
    if (flags & TSL_ASM_SEVERAL)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "several instructions of inline assembly that touch memory are "
                     "one step");
    if (flags & TSL_ASM_LOOPS)
        tslrt_say_at(site, "inline assembly with a loop of its own is one step: if it waits for "
                           "another thread, it never ends");
}

void __teasel_asm(uint32_t site, uint32_t flags) {
    if (flags & TSL_ASM_OPAQUE)
        TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    if ((flags & TSL_ASM_OPAQUE) && !TSLRT_BROKEN(ASM_STEP)) {
        TSL_HOT->call_site = site;
        tslrt_op(TSL_EV_ASM, NULL);
    }
    say_of_assembly(site, flags);
}

void __teasel_also(void *p, uint32_t site, uint32_t kind, uint64_t size) {
    if (kind != TSL_EV_READ && kind != TSL_EV_AREAD)
        tslrt_wrote(p, size);
    tslrt_heap_check_also((uintptr_t)p, size, site, kind);
    tslrt_also_range(kind, p, size);
}
