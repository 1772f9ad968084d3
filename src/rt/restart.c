// In-place restart: put every writable private page back as it was before main.
//
// The reference meaning is
//
//     for each page p of the program, libc and other libraries:  p = saved(p)
//
// and costs tens of microseconds; most runs change three or four pages.  So:
//
//   hot pages     changed by an earlier run: copied back every time
//   dirty map     every instrumented store, and every write of the runtime, marks
//                 its page: pages marked for the first time are compared
//   opaque code   after a run that called code that is not instrumented, all pages are compared
//
// Large variables are mostly pages that were never touched.  The kernel tells which (in
// /proc/self/pagemap): they are zero, and are neither read nor compared.
//
// Every AUDIT runs, all pages are compared.  If that finds a changed page, the rules above were
// wrong, and the Trace says so.  Nothing is write-protected: system calls would fail with EFAULT.
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "proc.h"
#include "restart.h"
#include "sabotage.h"
#include "start.h"
#include "state.h"
#include "sys.h"

enum {
    PAGE = 4096,
    MAX_REGIONS = 512,
    AUDIT = 4096,
    ASKED_AT_ONCE = 512, // pages that the kernel is asked about at once
    MANY_PAGES = 16384   // fewer pages are compared without asking, which is faster
};

typedef struct page {
    uintptr_t addr;
    const void *saved;
    uint32_t next; // next page with the same place in the dirty map, 1-based
    uint16_t hot;
    uint16_t anonymous; // of no file: zero unless it was touched
} page;

typedef struct restart {
    uint32_t npages, nhot, nregions, saved_pages;
    uint64_t runs;
    uint32_t heads[TSL_DIRTY_SIZE];
    struct {
        uintptr_t low, high;
        bool anonymous;
    } regions[MAX_REGIONS];
    uint32_t hot[1 << 20];
    page pages[];
} restart;

#define R ((restart *)TSLRT_RESTART_AT)
#define MAX_PAGES ((TSLRT_KEYS_AT - TSLRT_RESTART_AT - sizeof(restart)) / sizeof(page))

void tslrt_wrote_pages(const void *p, size_t n) {
    uint8_t *map = (uint8_t *)TSL_DIRTY_ADDR;
    uintptr_t from = (uintptr_t)p >> 12, to = ((uintptr_t)p + n - 1) >> 12;
    if (n == 0)
        return;
    if (to - from >= TSL_DIRTY_SIZE)
        to = from + TSL_DIRTY_SIZE - 1;
    for (; from <= to; from++)
        map[from % TSL_DIRTY_SIZE] = 1;
}

// ---------------------------------------------------------------- pages that were never touched

typedef struct present {
    long fd; // of the kernel's table; negative if the kernel is not asked
    uintptr_t from;
    uint64_t entries[ASKED_AT_ONCE];
    unsigned n;
} present;

static void present_open(present *p, size_t pages) {
    static const char path[] = "/proc/self/pagemap";
    p->fd =
        pages < MANY_PAGES ? -1 : tslrt_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    p->n = 0;
}

static void present_close(const present *p) {
    if (p->fd >= 0)
        tslrt_sys1(SYS_close, p->fd);
}

// Is the page neither in memory nor swapped out?  If that can't be found out, it counts as touched.
static bool is_untouched(present *p, uintptr_t addr) {
    enum { PRESENT_OR_SWAPPED = 3 };
    if (p->fd < 0)
        return false;
    uintptr_t at = (addr - p->from) / PAGE;
    if (!p->n || addr < p->from || at >= p->n) {
        long got = tslrt_sys4(SYS_pread64, p->fd, p->entries, sizeof p->entries, addr / PAGE * 8);
        p->from = addr;
        p->n = got > 0 ? (unsigned)got / 8 : 0;
        at = 0;
    }
    return p->n && !(p->entries[at] >> 62 & PRESENT_OR_SWAPPED);
}

// ---------------------------------------------------------------- saving

static void save_page(uintptr_t addr, bool anonymous, bool untouched) {
    if (R->npages >= MAX_PAGES)
        tslrt_die("the program has more writable memory than a restart can watch; use --fork");
    page *p = &R->pages[R->npages++];
    p->addr = addr;
    p->hot = 0;
    p->anonymous = anonymous;
    p->next = R->heads[(addr >> 12) % TSL_DIRTY_SIZE];
    R->heads[(addr >> 12) % TSL_DIRTY_SIZE] = R->npages;
    if (untouched || memcmp((void *)addr, (const void *)TSLRT_ZERO_AT, PAGE) == 0) {
        p->saved = (const void *)TSLRT_ZERO_AT;
        return;
    }
    p->saved = (void *)(TSL_SNAPSHOT_ADDR + (uintptr_t)R->saved_pages++ * PAGE);
    memcpy((void *)p->saved, (void *)addr, PAGE);
}

static void add_region(uintptr_t low, uintptr_t high, bool anonymous) {
    if (low >= high)
        return;
    if (R->nregions >= MAX_REGIONS)
        tslrt_die("the program has more than %u writable mappings; use --fork", MAX_REGIONS);
    R->regions[R->nregions].anonymous = anonymous;
    R->regions[R->nregions].low = low;
    R->regions[R->nregions++].high = high;
}

bool tslrt_has_mapped(uintptr_t a) {
    return (a >= TSL_HOT_ADDR && a < TSL_SYMBOL_ADDR + TSL_SYMBOL_SIZE) ||
           (a >= TSL_STACK_ADDR && a < TSL_HEAP_ADDR + TSL_HEAP_SIZE);
}

static const char *skip_word(const char *at) {
    while (*at == ' ')
        at++;
    while (*at && *at != ' ')
        at++;
    return at;
}

static void add_mapping(uintptr_t low, uintptr_t high, const char *rest, void *data) {
    (void)data;
    if (memcmp(rest, " rw-p", 5) != 0 || tslrt_has_mapped(low))
        return;
    // The stack of the loop that starts runs has no name if valgrind has made it.
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (strstr(rest, "[stack]") || (here >= low && here < high))
        return;
    rest += 5;
    for (int field = 0; field < 2 && *rest; field++) // offset and device
        rest = skip_word(rest);
    add_region(low, high, *rest == ' ' && rest[1] == '0');
}

static void find_regions(void) {
    enum { ROOM = 1 << 20 };
    tslrt_map(TSL_SNAPSHOT_ADDR, TSL_SNAPSHOT_SIZE, "the snapshot");
    char *text = (char *)TSL_SNAPSHOT_ADDR + TSL_SNAPSHOT_SIZE - ROOM;
    if (!tslrt_mappings(text, ROOM, add_mapping, NULL))
        tslrt_die("can't read /proc/self/maps");
}

static uintptr_t page_up(uintptr_t a) { return (a + PAGE - 1) & ~(uintptr_t)(PAGE - 1); }

static void save_region(uintptr_t low, uintptr_t high, bool anonymous) {
    present kernel;
    present_open(&kernel, anonymous ? (high - low) / PAGE : 0);
    for (uintptr_t a = low; a < high; a += PAGE)
        save_page(a, anonymous, is_untouched(&kernel, a));
    present_close(&kernel);
}

void tslrt_snapshot(void) {
    find_regions();
    *tslrt->errno_at = 0;
    // What constructors allocated, with its shadow, and the TLS they used.
    uintptr_t bump = tslrt->fresh.heap.bump;
    if (bump) {
        add_region(TSL_HEAP_ADDR, page_up(bump), false);
        add_region(TSL_HEAP_ADDR >> TSL_SHADOW_SHIFT, page_up(bump >> TSL_SHADOW_SHIFT), false);
    }
    if (tslrt->fresh.main.own.tls_top)
        add_region(TSL_STACK_ADDR, page_up(tslrt->fresh.main.own.tls_top), false);
    for (uint32_t i = 0; i < R->nregions; i++)
        save_region(R->regions[i].low, R->regions[i].high, R->regions[i].anonymous);
    tslrt->wire->census.restart_pages = R->npages;
    memset((void *)TSL_DIRTY_ADDR, 0, TSL_DIRTY_SIZE);
}

// ---------------------------------------------------------------- restoring

static bool put_back(page *p) {
    if (p->hot || memcmp((void *)p->addr, p->saved, PAGE) == 0)
        return false;
    memcpy((void *)p->addr, p->saved, PAGE);
    if (R->nhot < sizeof R->hot / sizeof *R->hot) {
        p->hot = 1;
        R->hot[R->nhot++] = (uint32_t)(p - R->pages);
    }
    return true;
}

// The pages that share this place in the dirty map.
static void put_back_all(unsigned place) {
    for (uint32_t i = R->heads[place]; i; i = R->pages[i - 1].next)
        put_back(&R->pages[i - 1]);
}

static void restore_marked(void) {
    enum { WORDS = 16 }; // tested together, because nearly all of the map is empty
    typedef uint64_t stretch __attribute__((vector_size(16)));
    for (uint64_t *from = (uint64_t *)TSL_DIRTY_ADDR, *end = from + TSL_DIRTY_SIZE / 8; from < end;
         from += WORDS) {
        const stretch *s = (const stretch *)from;
        stretch any = ((s[0] | s[1]) | (s[2] | s[3])) | ((s[4] | s[5]) | (s[6] | s[7]));
        if (!(any[0] | any[1]))
            continue;
        for (uint64_t *word = from; word < from + WORDS; word++) {
            unsigned place = (unsigned)((uintptr_t)word - TSL_DIRTY_ADDR);
            for (uint64_t marks = *word; marks; marks &= marks - 1) // a mark is one bit of its byte
                put_back_all(place + (unsigned)__builtin_ctzll(marks) / 8);
            *word = 0;
        }
    }
}

static bool restore_all(void) {
    bool changed = false;
    present kernel;
    present_open(&kernel, R->npages);
    for (uint32_t i = 0; i < R->npages; i++) {
        page *p = &R->pages[i];
        bool zero = p->anonymous && p->saved == (const void *)TSLRT_ZERO_AT;
        if (!zero || p->hot || !is_untouched(&kernel, p->addr))
            changed |= put_back(p);
    }
    present_close(&kernel);
    return changed;
}

void tslrt_restore(void) {
    *tslrt->errno_at = 0; // most functions of libc set errno, and none marks its page
    for (uint32_t i = 0; i < R->nhot; i++) {
        const page *p = &R->pages[R->hot[i]];
        memcpy((void *)p->addr, p->saved, PAGE);
    }
    if (!TSLRT_BROKEN(RESTORE))
        restore_marked();
    if (TSL_HOT->opaque)
        restore_all();
    else if (R->runs % AUDIT == AUDIT - 1 && restore_all())
        tslrt->memory.late_page = true;
    R->runs++;
}

void tslrt_roots(void (*visit)(uintptr_t low, uintptr_t high, void *data), void *data) {
    if (!R->nregions) // there was no snapshot, because each run has its own process
        find_regions();
    for (uint32_t i = 0; i < R->nregions; i++)
        visit(R->regions[i].low, R->regions[i].high, data);
}
