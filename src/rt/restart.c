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
//   opaque code   after a run that called code nobody instrumented, all pages are
//                 compared
//
// Every AUDIT runs all pages are compared regardless; finding a changed one then
// means the rules above were wrong, which is told in the Trace, never hidden.
// Nothing is write-protected: system calls would fail with EFAULT.
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "rt.h"
#include "sys.h"

enum { PAGE = 4096, MAX_REGIONS = 512, AUDIT = 4096 };

typedef struct page {
    uintptr_t addr;
    const void *saved;
    uint32_t next; // of the pages that share a place in the dirty map, 1-based
    uint32_t hot;
} page;

typedef struct restart {
    uint32_t npages, nhot, nregions, saved_pages;
    uint64_t runs;
    uint32_t heads[TSL_DIRTY_SIZE];
    struct {
        uintptr_t low, high;
    } regions[MAX_REGIONS];
    uint32_t hot[1 << 20];
    page pages[];
} restart;

#define R ((restart *)TSLRT_RESTART_AT)
#define MAX_PAGES ((TSLRT_KEYS_AT - TSLRT_RESTART_AT - sizeof(restart)) / sizeof(page))

void tslrt_wrote(const void *p, size_t n) {
    uint8_t *map = (uint8_t *)TSL_DIRTY_ADDR;
    uintptr_t from = (uintptr_t)p >> 12, to = ((uintptr_t)p + n - 1) >> 12;
    if (n == 0)
        return;
    if (to - from >= TSL_DIRTY_SIZE)
        to = from + TSL_DIRTY_SIZE - 1;
    for (; from <= to; from++)
        map[from % TSL_DIRTY_SIZE] = 1;
}

// ---------------------------------------------------------------- saving

static void save_page(uintptr_t addr) {
    if (R->npages >= MAX_PAGES)
        tslrt_die("the program has more writable memory than a restart can watch; use --fork");
    page *p = &R->pages[R->npages++];
    p->addr = addr;
    p->hot = 0;
    p->next = R->heads[(addr >> 12) % TSL_DIRTY_SIZE];
    R->heads[(addr >> 12) % TSL_DIRTY_SIZE] = R->npages;
    if (memcmp((void *)addr, (const void *)TSLRT_ZERO_AT, PAGE) == 0) {
        p->saved = (const void *)TSLRT_ZERO_AT;
        return;
    }
    p->saved = (void *)(TSL_SNAPSHOT_ADDR + (uintptr_t)R->saved_pages++ * PAGE);
    memcpy((void *)p->saved, (void *)addr, PAGE);
}

static void add_region(uintptr_t low, uintptr_t high) {
    if (low >= high)
        return;
    if (R->nregions >= MAX_REGIONS)
        tslrt_die("the program has more than %u writable mappings; use --fork", MAX_REGIONS);
    R->regions[R->nregions].low = low;
    R->regions[R->nregions++].high = high;
}

static bool is_ours(uintptr_t a) {
    return (a >= TSL_HOT_ADDR && a < TSL_SYMBOL_ADDR + TSL_SYMBOL_SIZE) ||
           (a >= TSL_STACK_ADDR && a < TSL_HEAP_ADDR + TSL_HEAP_SIZE);
}

static uintptr_t parse_hex(const char **at) {
    uintptr_t value = 0;
    for (;; (*at)++) {
        char c = **at;
        if (c >= '0' && c <= '9')
            value = value * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (uintptr_t)(c - 'a' + 10);
        else
            return value;
    }
}

// One line: low-high perms offset dev inode path
static void add_line(const char *line) {
    uintptr_t low = parse_hex(&line);
    line++;
    uintptr_t high = parse_hex(&line);
    if (memcmp(line, " rw-p", 5) != 0 || is_ours(low))
        return;
    if (strstr(line, "[stack]"))
        return; // of the loop that starts runs
    add_region(low, high);
}

static void find_regions(void) {
    static const char path[] = "/proc/self/maps";
    tslrt_map(TSL_SNAPSHOT_ADDR, TSL_SNAPSHOT_SIZE, "the snapshot");
    char *text = (char *)TSL_SNAPSHOT_ADDR + TSL_SNAPSHOT_SIZE - (1 << 20);
    long fd = tslrt_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    long n = 0, got = 0;
    if (fd < 0)
        tslrt_die("can't read /proc/self/maps");
    while (n < (1 << 20) - 1 && (got = tslrt_sys3(SYS_read, fd, text + n, (1 << 20) - 1 - n)) > 0)
        n += got;
    tslrt_sys1(SYS_close, fd);
    text[n] = 0;
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = 0;
        add_line(line);
        line = end ? end + 1 : line + strlen(line);
    }
}

static uintptr_t page_up(uintptr_t a) { return (a + PAGE - 1) & ~(uintptr_t)(PAGE - 1); }

void tslrt_snapshot(void) {
    find_regions();
    *tslrt->errno_at = 0;
    // What constructors allocated, with its shadow, and what they put into TLS.
    uintptr_t bump = tslrt->heap_fresh.bump;
    if (bump) {
        add_region(TSL_HEAP_ADDR, page_up(bump));
        add_region(TSL_HEAP_ADDR >> TSL_SHADOW_SHIFT, page_up(bump >> TSL_SHADOW_SHIFT));
    }
    if (tslrt->main_fresh.tls_top)
        add_region(TSL_STACK_ADDR, page_up(tslrt->main_fresh.tls_top));
    for (uint32_t i = 0; i < R->nregions; i++)
        for (uintptr_t a = R->regions[i].low; a < R->regions[i].high; a += PAGE)
            save_page(a);
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

static void restore_marked(void) {
    uint64_t *map = (uint64_t *)TSL_DIRTY_ADDR;
    for (unsigned word = 0; word < TSL_DIRTY_SIZE / 8; word++) {
        if (word % 8 == 0 && !(map[word] | map[word + 1] | map[word + 2] | map[word + 3] |
                               map[word + 4] | map[word + 5] | map[word + 6] | map[word + 7])) {
            word += 7; // nearly all of it is empty
            continue;
        }
        if (!map[word])
            continue;
        const uint8_t *mark = (const uint8_t *)&map[word];
        for (unsigned byte = 0; byte < 8; byte++)
            if (mark[byte])
                for (uint32_t i = R->heads[word * 8 + byte]; i; i = R->pages[i - 1].next)
                    put_back(&R->pages[i - 1]);
        map[word] = 0;
    }
}

static bool restore_all(void) {
    bool changed = false;
    for (uint32_t i = 0; i < R->npages; i++)
        changed |= put_back(&R->pages[i]);
    return changed;
}

void tslrt_restore(void) {
    *tslrt->errno_at = 0; // most calls of libc set it, and none marks its page
    for (uint32_t i = 0; i < R->nhot; i++) {
        const page *p = &R->pages[R->hot[i]];
        memcpy((void *)p->addr, p->saved, PAGE);
    }
    if (!TSLRT_BROKEN(RESTORE))
        restore_marked();
    if (TSL_HOT->opaque)
        restore_all();
    else if (R->runs % AUDIT == AUDIT - 1 && restore_all())
        tslrt->late_page = true;
    R->runs++;
}

void tslrt_roots(void (*visit)(uintptr_t low, uintptr_t high, void *data), void *data) {
    if (!R->nregions) // one process per run: there was no snapshot
        find_regions();
    for (uint32_t i = 0; i < R->nregions; i++)
        visit(R->regions[i].low, R->regions[i].high, data);
}
