// Is a synchronisation object where an object may be?
//
// A primitive touches its object as a load or store would: in a freed block that is a use after
// free, in a block smaller than the object an overflow, where nothing is mapped a crash.  The check
// comes right before the step takes effect and after any switch, because another thread may free
// the block until then.  A thread that stands before a step on such an object is never blocked by
// the bytes that are there: the step is enabled, and reports the error.
#include <signal.h>
#include <string.h>

#include "../notes.h"
#include "../quick.h"
#include "../sabotage.h"
#include "../sys.h"
#include "objects.h"

// Eight shadow bytes stand for 64 bytes of heap: enough for any object.
static bool heap_lives(uintptr_t a, uint64_t size) {
    uint64_t shadow, all = 0x0808080808080808ull;
    uint64_t granules = (a + size + 7) / 8 - a / 8;
    bool one_page = (a >> TSL_SHADOW_SHIFT & 4095) <= 4096 - sizeof shadow;
    if (((a | size) & 7) || !one_page)
        return tslrt_heap_is_live(a, size);
    memcpy(&shadow, (const void *)(a >> TSL_SHADOW_SHIFT), sizeof shadow);
    return ((shadow ^ all) << (8 - granules) * 8) == 0;
}

// A probe: the kernel reads the set before the invalid `how`, and fails with EFAULT if it can't.
static bool is_readable(uintptr_t a) {
    uintptr_t page = a >> 12;
    uintptr_t *known = &tslrt->readable[page % TSLRT_READABLE];
    if (page && *known == page)
        return true;
    if (page == 0 || tslrt_sys4(SYS_rt_sigprocmask, ~0l, page << 12, NULL, 8) == -EFAULT)
        return false;
    *known = page;
    return true;
}

// For memory outside the heap.
static bool is_mapped(uintptr_t a, uint64_t size) {
    bool image = tslrt_in_image(a);
    bool arena = a - TSL_ARENA_ADDR < TSL_ARENA_SIZE; // named semaphores
    return image || tslrt_in_stack(a) || arena || (is_readable(a) && is_readable(a + size - 1));
}

bool tslrt_object_lives_outside(const void *object, unsigned row) {
    uintptr_t a = (uintptr_t)object;
    uint64_t size = tsl_sync_size(row);
    return tslrt_in_heap(a) ? tslrt_heap_in_use(a) && heap_lives(a, size) : is_mapped(a, size);
}

static const char *text_of(unsigned row) {
    static const char *const texts[] = {
#define TSL_SYNC_OBJECT(name, text, type) text,
#include "abi/objects.def"
#undef TSL_SYNC_OBJECT
    };
    return texts[row < TSL_SYNC_OBJECTS ? row : 0];
}

static const char *kind_text(unsigned kind) {
    static const char *const texts[] = {
#define TSL_EVENT(name, text, ...) text,
#include "abi/events.def"
#undef TSL_EVENT
    };
    return kind && kind < TSL_EV_COUNT ? texts[kind] : "use";
}

// Ends the run as the processor would, but with the place of the call.
static noreturn void segv(const void *at, uint32_t site, const char *what, const char *of) {
    RUN->trace.head->signal = SIGSEGV;
    RUN->trace.flags |= TSL_TRACE_AT_SITE;
    if (RUN->count.unjoined > 1) // the step might have come before its page was unmapped: not known
        tslrt_weaken(TSL_REASON_UNCONTROLLED, "a synchronisation object was used where no memory "
                                              "is: other orders of that step may be missing");
    tslrt_end(TSL_OUT_SIGNAL, site, at, "SIGSEGV at address %p: %s of %s there", at, what, of);
}

static noreturn void bad_object(unsigned kind, const void *object, unsigned row, uint32_t site) {
    uintptr_t a = (uintptr_t)object, bad;
    uint64_t size = tsl_sync_size(row);
    if (!tslrt_in_heap(a))
        segv(object, site, kind_text(kind), text_of(row));
    unsigned outcome = tslrt_heap_error(a, size, &bad);
    tslrt_end(outcome, site, (void *)bad, "%s of %s, which takes %lu bytes%s", kind_text(kind),
              text_of(row), (unsigned long)size,
              RUN->trace.head->block.addr ? "" : ", where nothing is allocated");
}

void tslrt_object_check_outside(unsigned kind, const void *object, unsigned row, uint32_t site) {
    if (__builtin_expect(!tslrt_object_lives_outside(object, row), 0) &&
        !TSLRT_BROKEN(FREED_OBJECT))
        bad_object(kind, object, row, site);
}

void tslrt_access_check_outside(const void *p, uint64_t size, uint32_t site, unsigned kind) {
    if (!tslrt_in_heap((uintptr_t)p) && !is_mapped((uintptr_t)p, size))
        segv(p, site, kind == TSL_EV_READ ? "read" : "write", "what a function is given");
    tslrt_heap_check_also((uintptr_t)p, size, site, kind);
}

// The step that was just recorded also stores a result in the caller's memory.
void tslrt_also_writes(const void *p, unsigned size_code) {
    tslrt_access_check(p, 1ull << size_code, SELF->pend.site, TSL_EV_WRITE);
    tslrt_also(TSL_EV_WRITE, p, 0, size_code);
    tslrt_wrote(p, 1ull << size_code);
}

void tslrt_check_state(const void *object, uint32_t state, const char *use, const char *of) {
    if (state == TSLRT_DESTROYED)
        tslrt_misuse(object, "%s %s that was destroyed", use, of);
    if (state != TSLRT_ALIVE)
        tslrt_misuse(object, "%s %s that was never initialised", use, of);
}

// A block is freed: threads that stand before a step on an object in it are no longer blocked.
void tslrt_objects_freed(uintptr_t from, uint64_t size) {
    if (TSLRT_BROKEN(FREED_WAITING))
        return;
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        if ((uintptr_t)tslrt->threads.parked_at[i] - from >= size)
            continue;
        tslrt_fiber *fiber = tslrt_fiber_at(tslrt->threads.fibers[i]);
        if (fiber != SELF && fiber->state == FIBER_LIVE)
            tslrt_set_enabled(fiber, tslrt_can_run(fiber));
    }
}

// ---------------------------------------------------------------- plain memory, such as attributes

void tslrt_reads(const void *p, uint64_t size) {
    uint32_t site = tslrt_take_site();
    if (tslrt_is_constant(p))
        return;
    tslrt_symbols_taken(p, size);
    __teasel_range_slow((void *)(uintptr_t)p, site, TSL_EV_READ, size);
    tslrt_access_check(p, size, site, TSL_EV_READ);
}

void tslrt_reads_first(const void *p, uint64_t size) {
    uint32_t site = TSL_HOT->call_site;
    if (p)
        tslrt_reads(p, size);
    TSL_HOT->call_site = site;
}

void tslrt_writes(void *p, uint64_t size) {
    uint32_t site = tslrt_take_site();
    __teasel_range_slow(p, site, TSL_EV_WRITE, size);
    tslrt_access_check(p, size, site, TSL_EV_WRITE);
}
