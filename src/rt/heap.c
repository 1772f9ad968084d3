// The heap: deterministic, with red zones, and nothing reused within a run.
//
// Each thread allocates from its own slice by bumping a pointer, so the address of
// a block depends only on the thread and on what it allocated before.  A block is
//
//     [ header 32 ][ user bytes ][ red zone >= 16 ]
//
// and one shadow byte per eight bytes says which of them may be accessed; the fast paths check it.
// Freed blocks keep their bytes and their header for the report.  Only when a slice is crowded are
// freed blocks handed out again; the census says so, as a use after free may then go unseen.
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>

#include "access.h"
#include "heap.h"
#include "notes.h"
#include "quick.h"
#include "sabotage.h"
#include "start.h"
#include "sync/objects.h"
#include "sys.h"

typedef struct block {
    uint64_t size;
    uint64_t span; // from header to the next header
    uint32_t alloc_site, free_site;
    uint16_t alloc_thread, free_thread;
    uint32_t state;
} block;

enum { BLOCK_LIVE = 0x7ea5e11u, BLOCK_FREED = 0x7ea5edeu };
enum { HEADER = sizeof(block), CHUNK = 1 << 20, KEEP = 1 << 20, FILL_LIMIT = 1 << 16 };
#define CROWDED (256ul << 20)
#define RUN_LIMIT (2ul << 30)
#define UNINITIALISED 0xa5

_Static_assert(sizeof(block) == 32, "the header keeps user bytes 16-aligned");

static uintptr_t slice(unsigned id) { return TSL_HEAP_ADDR + id * TSL_HEAP_STRIDE; }

static int8_t *shadow(uintptr_t a) { return (int8_t *)(a >> TSL_SHADOW_SHIFT); }

static block *header(uintptr_t user) { return (block *)(user - HEADER); }

static unsigned current(void) { return SELF ? SELF->id : 0; }

// ---------------------------------------------------------------- room

static bool map_until(unsigned id, heap_slot *slot, uintptr_t end) {
    if (!slot->mapped)
        slot->mapped = slice(id);
    if (end <= slot->mapped)
        return true;
    if (end > slice(id) + TSL_HEAP_STRIDE)
        return false;
    uintptr_t grow = slot->mapped - slice(id); // doubling keeps the number of calls small
    grow = grow < CHUNK ? CHUNK : grow > (64ul << 20) ? (64ul << 20) : grow;
    uintptr_t to = slot->mapped + grow;
    if (to < end)
        to = (end + CHUNK - 1) & ~(uintptr_t)(CHUNK - 1);
    tslrt_map(slot->mapped, to - slot->mapped, "the heap");
    tslrt_map(slot->mapped >> TSL_SHADOW_SHIFT, (to - slot->mapped) >> TSL_SHADOW_SHIFT,
              "the heap's shadow");
    slot->mapped = to;
    return true;
}

static size_t red_zone(size_t size) { return size <= 256 ? 16 : size <= 4096 ? 64 : 256; }

static void open_shadow(uintptr_t user, size_t size) {
    memset(shadow(user), 8, size >> 3);
    if (size & 7)
        *shadow(user + size) = (int8_t)(size & 7);
}

// ---------------------------------------------------------------- reuse when crowded

static unsigned size_class(size_t span) {
    unsigned c = 63u - (unsigned)__builtin_clzll(span | 32);
    return c < 31 ? c : 31;
}

static uintptr_t *next_freed(uintptr_t user) {
    return (uintptr_t *)user; // even a block of no bytes has room for a link, in its red zone
}

// List c holds blocks of at least 2^c bytes and less than twice as many.  In a crowded slice, sizes
// are rounded up to a power of two, so every block in the list of that power fits.  So a program
// that frees what it allocates finds its blocks again, even if their sizes grow a little.
static size_t rounded_span(size_t span) { return 1ul << (64 - __builtin_clzll((span | 32) - 1)); }

static uintptr_t first_freed(heap_slot *slot, unsigned c) {
    uintptr_t user = slot->free_lists[c];
    if (!user)
        return 0;
    slot->free_lists[c] = *next_freed(user);
    if (!slot->free_lists[c])
        slot->free_tails[c] = 0;
    return user;
}

static void last_freed(heap_slot *slot, unsigned c, uintptr_t user) {
    *next_freed(user) = 0;
    if (slot->free_tails[c])
        *next_freed(slot->free_tails[c]) = user;
    else
        slot->free_lists[c] = user;
    slot->free_tails[c] = user;
}

static uintptr_t take_freed(heap_slot *slot, size_t size, size_t align) {
    if (size > RUN_LIMIT)
        return 0;
    size_t span = size + HEADER + red_zone(size);
    unsigned c = size_class(rounded_span(span));
    for (int tries = 0; tries < 64; tries++) {
        uintptr_t user = first_freed(slot, c);
        if (!user)
            return 0;
        if ((user & (align - 1)) || header(user)->span < span) {
            last_freed(slot, c, user);
            continue;
        }
        memset(shadow(user), TSL_SHADOW_REDZONE, (header(user)->span - HEADER) >> TSL_SHADOW_SHIFT);
        tslrt_say("more than 256 MiB were allocated by one thread in one run: freed heap blocks "
                  "are reused, so a use after free may go unseen");
        return user;
    }
    return 0;
}

static void put_freed(uintptr_t user) {
    heap_slot *slot = tslrt_slot((unsigned)((user - TSL_HEAP_ADDR) / TSL_HEAP_STRIDE));
    last_freed(slot, size_class(header(user)->span), user);
}

// ---------------------------------------------------------------- allocate

static bool crowded(const heap_slot *slot, unsigned id) { return slot->bump - slice(id) > CROWDED; }

static uintptr_t carve(unsigned id, heap_slot *slot, size_t size, size_t align) {
    if (!slot->bump)
        slot->bump = slice(id);
    bool rounded = crowded(slot, id);
    if (rounded) {
        uintptr_t again = take_freed(slot, size, align);
        if (again)
            return again;
    }
    uintptr_t user = (slot->bump + HEADER + align - 1) & ~(uintptr_t)(align - 1);
    if (user - HEADER - slot->bump > 0 && user - HEADER - slot->bump < HEADER)
        user += align; // a gap must hold a header, so that blocks can be walked
    uintptr_t end = (user + size + red_zone(size) + 15) & ~(uintptr_t)15;
    if (rounded && size <= RUN_LIMIT)
        end = user - HEADER + rounded_span(end - (user - HEADER));
    if (size > RUN_LIMIT || end - slice(id) > RUN_LIMIT || !map_until(id, slot, end))
        return 0;
    memset(shadow(slot->bump), TSL_SHADOW_REDZONE, (end - slot->bump) >> TSL_SHADOW_SHIFT);
    header(user)->span = end - (user - HEADER);
    uintptr_t gap = user - HEADER - slot->bump;
    if (gap)
        *(block *)slot->bump = (block){.span = gap};
    slot->bump = end;
    return user;
}

static void fill_block(unsigned id, uintptr_t user, size_t size, bool zero) {
    if (size <= FILL_LIMIT) {
        memset((void *)user, zero ? 0 : UNINITIALISED, size);
        return;
    }
    // Large blocks are zero, as fresh pages are.  Only the part that runs reuse without asking the
    // kernel (see tslrt_heap_reset) may be stale.
    uintptr_t stale_end = slice(id) + KEEP;
    if (crowded(tslrt_slot(id), id))
        memset((void *)user, 0, size);
    else if (user < stale_end)
        memset((void *)user, 0, user + size < stale_end ? size : stale_end - user);
}

static void *fail(int error) {
    errno = error;
    return NULL;
}

static void *allocate(size_t size, size_t align, bool zero) {
    if (!tslrt_mapped)
        tslrt_init();
    uint32_t site = tslrt_take_site();
    unsigned id = current();
    heap_slot *slot = tslrt_slot(id);
    uintptr_t user = carve(id, slot, size, align < 16 ? 16 : align);
    if (!user) {
        tslrt_say("a run asked for more than 2 GiB of heap: malloc returned NULL");
        return fail(ENOMEM);
    }
    block *b = header(user);
    b->size = size;
    b->alloc_site = site;
    b->free_site = (uint32_t)tslrt_steps(); // until it is freed, the step that allocated it
    b->alloc_thread = (uint16_t)id;
    b->state = BLOCK_LIVE;
    open_shadow(user, size);
    fill_block(id, user, size, zero);
    if (TSL_HOT->recording != TSL_RECORD_NOTHING && TSL_HOT->cursor < RUN->trace.limit) {
        tslrt_note(TSL_EV_ALLOC, user, 0);
        TSL_HOT->cursor[-1].site = site; // a report says where the block was allocated
        tslrt_note(TSL_EV_LENGTH, size, 0);
    }
    return (void *)user;
}

// ---------------------------------------------------------------- free

// Is the address in the part of a slice that was carved?
bool tslrt_heap_in_use(uintptr_t a) {
    if (!tslrt_in_heap(a))
        return false;
    unsigned id = (unsigned)((a - TSL_HEAP_ADDR) / TSL_HEAP_STRIDE);
    return a >= slice(id) && a < tslrt_slot(id)->bump;
}

static bool is_block(uintptr_t user) {
    if ((user & 15) || !tslrt_heap_in_use(user) || !tslrt_heap_in_use(user - HEADER))
        return false;
    uint32_t state = header(user)->state;
    return (state == BLOCK_LIVE || state == BLOCK_FREED) &&
           *shadow(user - HEADER) == TSL_SHADOW_REDZONE;
}

static void block_error(unsigned outcome, uintptr_t user, uint32_t site, const char *what) {
    RUN->trace.head->block.addr = 0;
    tslrt_heap_block(user, &RUN->trace.head->block);
    tslrt_end(outcome, site, (void *)user, "%s", what);
}

static void check_is_block(uintptr_t user, uint32_t site) {
    if (!is_block(user))
        block_error(TSL_OUT_INVALID_FREE, user, site,
                    tslrt_heap_in_use(user) ? "free of a pointer into a block, not to its start"
                                            : "free of a pointer that malloc did not return");
}

static void check_not_freed(uintptr_t user, uint32_t site) {
    if (header(user)->state == BLOCK_FREED)
        block_error(TSL_OUT_DOUBLE_FREE, user, site, "the block was freed before");
}

// The current step touches freed memory.  To make it conflict with the free, whatever it touches,
// it reads the first byte of the block, which every free touches.
static void touch_freed(void) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING || !RUN->trace.head->block.freed)
        return;
    tslrt_note(TSL_EV_ALSO, RUN->trace.head->block.addr, TSL_EV_AREAD);
}

// Records an access that fails: as a step of its own, or as part of the last step.
static void tell_access(uintptr_t a, uint64_t size, uint32_t site, unsigned kind, bool own_step) {
    if (own_step)
        tslrt_record(kind, (void *)a, site);
    else
        tslrt_note(TSL_EV_ALSO, a, kind);
    TSL_HOT->cursor[-1].arg = TSL_ARG_RANGE;
    tslrt_note(TSL_EV_LENGTH, size, 0);
}

// libc frees a block.  No thread may be preempted there (inside.c), so this belongs to the step
// before.  If that step allocated the block, no other thread can know it.
static void free_within_libc(uintptr_t user) {
    const block *b = header(user);
    bool young = b->alloc_thread == current() && b->free_site == (uint32_t)tslrt_steps();
    if (!young)
        tslrt_also_range(TSL_EV_FREE, (void *)user, b->size);
}

// Freeing conflicts with every access to the block and with every other free, so it is a step, even
// if it fails.  A block of no bytes counts as one byte, so that its frees conflict.
static void free_step(uintptr_t user, uint32_t site) {
    TSL_HOT->call_site = site;
    tslrt_op_sized(TSL_EV_FREE, (void *)user, TSL_ARG_RANGE);
    uint64_t size = header(user)->size;
    tslrt_note(TSL_EV_LENGTH, size ? size : 1, 0);
}

static void release(uintptr_t user, uint32_t site, bool within_libc) {
    check_is_block(user, site);
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        ;
    else if (within_libc)
        free_within_libc(user);
    else
        free_step(user, site);
    check_not_freed(user, site); // another thread may have run
    block *b = header(user);
    b->state = BLOCK_FREED;
    b->free_site = site;
    b->free_thread = (uint16_t)current();
    tslrt_wrote(b, sizeof *b);
    tslrt_wrote(shadow(user), (b->size >> 3) + 1);
    if (!TSLRT_BROKEN(POISON))
        memset(shadow(user), TSL_SHADOW_FREED, (b->size + 7) >> 3);
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        tslrt_objects_freed(user, b->size);
    unsigned id = (unsigned)((user - TSL_HEAP_ADDR) / TSL_HEAP_STRIDE);
    if (crowded(tslrt_slot(id), id))
        put_freed(user);
}

// ---------------------------------------------------------------- what the program calls

static bool is_within_libc(const void *return_address) {
    return TSL_HOT->recording != TSL_RECORD_NOTHING && tslrt_from_libc(return_address);
}

API void *malloc(size_t size) { return allocate(size, 16, false); }

API void *calloc(size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        return fail(ENOMEM);
    return allocate(bytes, 16, true);
}

API void free(void *p) {
    if (!tslrt_mapped)
        tslrt_init();
    uint32_t site = tslrt_take_site();
    if (p && !RUN->end.begun)
        release((uintptr_t)p, site, is_within_libc(__builtin_return_address(0)));
}

// The block is about to be copied by realloc.  If it was freed, that is reported as a double free.
static void copy_step(uintptr_t user, uint64_t size, uint32_t site) {
    tslrt_range_begin(TSL_EV_READ, (void *)user, site);
    if (header(user)->state == BLOCK_FREED && TSL_HOT->recording != TSL_RECORD_NOTHING) {
        tell_access(user, size, site, TSL_EV_READ, true);
        tslrt_heap_block(user, &RUN->trace.head->block);
        touch_freed();
    }
    check_not_freed(user, site);
    tslrt_range_end(TSL_EV_READ, (void *)user, size, site);
}

static void *resize(void *old, size_t size, bool within_libc) {
    if (!old)
        return malloc(size);
    uint32_t site = tslrt_take_site();
    if (size == 0) {
        release((uintptr_t)old, site, within_libc);
        return NULL;
    }
    check_is_block((uintptr_t)old, site);
    size_t keep = header((uintptr_t)old)->size;
    keep = keep < size ? keep : size;
    if (!within_libc && keep)
        copy_step((uintptr_t)old, keep, site);
    TSL_HOT->call_site = site;
    void *new = allocate(size, 16, false);
    if (!new)
        return NULL;
    memcpy(new, old, keep);
    tslrt_symbols_copy(new, old, keep);
    release((uintptr_t)old, site, within_libc);
    return new;
}

API void *realloc(void *old, size_t size) {
    return resize(old, size, is_within_libc(__builtin_return_address(0)));
}

API void *reallocarray(void *old, size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        return fail(ENOMEM);
    return resize(old, bytes, is_within_libc(__builtin_return_address(0)));
}

API void *memalign(size_t align, size_t size) {
    if (align == 0 || (align & (align - 1)))
        return fail(EINVAL);
    return allocate(size, align, false);
}

API void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }

API int posix_memalign(void **to, size_t align, size_t size) {
    if (align < sizeof(void *) || (align & (align - 1)))
        return EINVAL;
    int saved = errno;
    void *p = allocate(size, align, false);
    errno = saved;
    if (!p)
        return ENOMEM;
    *to = p;
    tslrt_wrote(to, sizeof *to);
    return 0;
}

API void *valloc(size_t size) { return allocate(size, 4096, false); }

API void *pvalloc(size_t size) { return allocate((size + 4095) & ~(size_t)4095, 4096, false); }

API size_t malloc_usable_size(void *p) { return p ? header((uintptr_t)p)->size : 0; }

// ---------------------------------------------------------------- checks and reports

static bool reads(unsigned kind) {
    return kind == TSL_EV_READ || kind == TSL_EV_VREAD || kind == TSL_EV_AREAD;
}

// The access is the last step of the run, so that a replay gets as far, or part of that step.
static noreturn void bad_access(unsigned outcome, uintptr_t a, uint64_t size, uintptr_t bad,
                                uint32_t site, unsigned kind, bool own_step) {
    RUN->trace.head->access_size = size;
    tslrt_heap_block(outcome == TSL_OUT_USE_AFTER_FREE ? bad : a, &RUN->trace.head->block);
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        tell_access(a, size, site, kind, own_step);
    touch_freed();
    tslrt_end(outcome, site, (void *)bad, "%s of %lu byte%s%s", reads(kind) ? "read" : "write",
              (unsigned long)size, size == 1 ? "" : "s",
              RUN->trace.head->block.addr ? "" : " where nothing is allocated");
}

// The first of these bytes that may not be accessed, or 0.
static uintptr_t first_bad(uintptr_t a, uint64_t size) {
    if (!tslrt_heap_in_use(a))
        return a;
    for (uintptr_t granule = a & ~7ul; granule < a + size; granule += 8) {
        uintptr_t last = a + size - 1 < granule + 7 ? a + size - 1 : granule + 7;
        if ((int64_t)(last - granule) >= *shadow(granule))
            return a > granule ? a : granule;
    }
    return 0;
}

static unsigned error_at(uintptr_t bad) {
    bool freed = tslrt_heap_in_use(bad) && *shadow(bad & ~7ul) == TSL_SHADOW_FREED;
    return freed ? TSL_OUT_USE_AFTER_FREE : TSL_OUT_HEAP_OVERFLOW;
}

void tslrt_heap_check_block(uintptr_t a, uint64_t size, uint32_t site, unsigned kind,
                            bool own_step) {
    uintptr_t bad = first_bad(a, size);
    if (bad)
        bad_access(error_at(bad), a, size, bad, site, kind, own_step);
}

bool tslrt_heap_is_live(uintptr_t a, uint64_t size) { return !first_bad(a, size); }

unsigned tslrt_heap_error(uintptr_t a, uint64_t size, uintptr_t *bad) {
    *bad = first_bad(a, size);
    unsigned outcome = error_at(*bad);
    RUN->trace.head->access_size = size;
    tslrt_heap_block(outcome == TSL_OUT_USE_AFTER_FREE ? *bad : a, &RUN->trace.head->block);
    touch_freed();
    return outcome;
}

// The last block in the slice of `a` that starts at or before it.
static uintptr_t block_before(uintptr_t a) {
    if (!tslrt_heap_in_use(a))
        return 0;
    unsigned id = (unsigned)((a - TSL_HEAP_ADDR) / TSL_HEAP_STRIDE);
    uintptr_t found = 0;
    for (uintptr_t at = slice(id); at < tslrt_slot(id)->bump && at <= a;) {
        const block *b = (const block *)at;
        if (b->span < HEADER)
            break;
        if (b->state == BLOCK_LIVE || b->state == BLOCK_FREED)
            found = at + HEADER;
        at += b->span;
    }
    return found;
}

bool tslrt_heap_block(uintptr_t a, tsl_block_info *info) {
    uintptr_t user = block_before(a);
    if (!user)
        return false;
    const block *b = header(user);
    *info = (tsl_block_info){.addr = user,
                             .size = b->size,
                             .alloc_site = b->alloc_site,
                             .free_site = b->state == BLOCK_FREED ? b->free_site : 0,
                             .alloc_thread = b->alloc_thread,
                             .free_thread = b->free_thread,
                             .freed = b->state == BLOCK_FREED};
    return true;
}

void tslrt_heap_each(void (*visit)(uintptr_t user, uint64_t size, uint32_t site, void *data),
                     void *data) {
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        unsigned id = tslrt->threads.fibers[i];
        uintptr_t at = id == 0 && tslrt->fresh.heap.bump ? tslrt->fresh.heap.bump : slice(id);
        while (at < tslrt_slot(id)->bump) {
            const block *b = (const block *)at;
            if (b->span < HEADER)
                break;
            if (b->state == BLOCK_LIVE)
                visit(at + HEADER, b->size, b->alloc_site, data);
            at += b->span;
        }
    }
}

// ---------------------------------------------------------------- restart

void tslrt_heap_reset(void) {
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        unsigned id = tslrt->threads.fibers[i];
        heap_slot *slot = tslrt_slot(id);
        uintptr_t from = id == 0 && tslrt->fresh.heap.bump ? tslrt->fresh.heap.bump : slice(id);
        if (slot->bump <= from)
            continue;
        memset(shadow(from), 0, ((slot->bump - from) >> TSL_SHADOW_SHIFT) + 1);
        uintptr_t keep = slice(id) + KEEP;
        if (slot->bump > keep)
            tslrt_sys3(SYS_madvise, keep, ((slot->bump - keep) + 4095) & ~4095ul, MADV_DONTNEED);
        if (crowded(slot, id)) {
            memset(slot->free_lists, 0, sizeof slot->free_lists);
            memset(slot->free_tails, 0, sizeof slot->free_tails);
        }
        slot->bump = from;
    }
}
