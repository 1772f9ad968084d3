// Leaks: heap blocks that the program can't reach any more when it ends.
//
//     reachable = blocks pointed into from globals, TLS, live threads' stacks
//                 or reachable blocks
//
// Any word that looks like a pointer into a block counts as one, so a report is
// never wrong about a block that is still in use; a stale word may hide a leak.
#include <string.h>
#include <sys/mman.h>

#include "start.h"
#include "state.h"

typedef struct found {
    uintptr_t user;
    uint64_t size;
    uint32_t site, reached;
} found;

typedef struct search {
    found *blocks;
    size_t n, room;
    size_t *work; // reached but not scanned
    size_t nwork;
} search;

static void add_block(uintptr_t user, uint64_t size, uint32_t site, void *data) {
    search *s = data;
    if (s->n < s->room)
        s->blocks[s->n++] = (found){user, size, site, 0};
}

// The slices of threads come in order of creation, each sorted: insertion is nearly a merge.
static void sort_blocks(search *s) {
    for (size_t i = 1; i < s->n; i++) {
        found f = s->blocks[i];
        size_t j = i;
        for (; j > 0 && s->blocks[j - 1].user > f.user; j--)
            s->blocks[j] = s->blocks[j - 1];
        s->blocks[j] = f;
    }
}

static void reach(search *s, uintptr_t a) {
    if (!tslrt_in_heap(a))
        return;
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (s->blocks[mid].user <= a)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0)
        return;
    found *f = &s->blocks[low - 1];
    if (f->reached || a > f->user + f->size)
        return;
    f->reached = 1;
    s->work[s->nwork++] = low - 1;
}

static void scan(uintptr_t low, uintptr_t high, void *data) {
    for (low = (low + 7) & ~7ul; low + 8 <= high; low += 8)
        reach(data, *(const uintptr_t *)low);
}

static void scan_threads(search *s) {
    for (const tslrt_fiber *fiber = NULL; (fiber = tslrt_next(fiber));) {
        if (fiber->state == FIBER_LIVE && fiber != SELF && fiber->context.sp)
            scan((uintptr_t)fiber->context.sp, fiber->stack.high, s);
        if (fiber->state == FIBER_LIVE && fiber->own.keys)
            scan((uintptr_t)fiber->own.keys, (uintptr_t)(fiber->own.keys + TSLRT_MAX_KEYS), s);
        if (fiber->own.tls_top)
            scan(TSL_STACK_ADDR + fiber->id * TSL_STACK_STRIDE, fiber->own.tls_top, s);
        if (fiber->id)
            scan(fiber->stack.high, fiber->stack.high + tslrt->area.room, s);
        reach(s, (uintptr_t)fiber->thread.result);
    }
}

static void report(const search *s) {
    const found *first = NULL;
    tsl_trace_head *trace = RUN->trace.head;
    for (size_t i = 0; i < s->n; i++) {
        if (s->blocks[i].reached)
            continue;
        if (!first)
            first = &s->blocks[i];
        trace->leak_blocks++;
        trace->leak_bytes += s->blocks[i].size;
    }
    if (!first)
        return;
    tslrt_heap_block(first->user, &trace->block);
    tslrt_end(TSL_OUT_LEAK, first->site, (void *)first->user, "%lu bytes in %u block%s are lost",
              (unsigned long)trace->leak_bytes, trace->leak_blocks,
              trace->leak_blocks == 1 ? "" : "s");
}

void tslrt_leak_check(void) {
    enum { ROOM = 1 << 22 };
    if (!tslrt->memory
             .leak_scratch) { // kept for later runs, because a report of a leak does not return
        tslrt_map(TSL_LEAK_ADDR, ROOM * (sizeof(found) + sizeof(size_t)), "the leak check");
        tslrt->memory.leak_scratch = (char *)TSL_LEAK_ADDR;
    }
    search s = {.blocks = (found *)tslrt->memory.leak_scratch,
                .room = ROOM,
                .work = (size_t *)(tslrt->memory.leak_scratch + ROOM * sizeof(found))};
    tslrt_heap_each(add_block, &s);
    sort_blocks(&s);
    tslrt_roots(scan, &s);
    scan_threads(&s);
    while (s.nwork) {
        const found *f = &s.blocks[s.work[--s.nwork]];
        scan(f->user, f->user + f->size, &s);
    }
    report(&s);
}
