// Sizes are virtual: the file is sparse, so a slot costs only the memory its longest Trace touched.
#include "exec/wire_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/mem.h"

enum { SLOTS = 64, MAX_SLEEP = 32768, MAX_NODES = 1 << 18 };
#define MAX_INPUTS (4ull << 20)
#define SITES_SIZE (64ull << 20)
#define MAX_ITEMS (4ull << 20)

static uint64_t page_up(uint64_t n) { return (n + 4095) & ~4095ull; }

static tsl_wire *lay_out(uint64_t max_steps) {
    tsl_wire *w = aligned_alloc(_Alignof(tsl_wire), sizeof *w);
    if (!w)
        tsl_out_of_memory(sizeof *w);
    memset(w, 0, sizeof *w); // cppcheck-suppress nullPointerRedundantCheck // does not return
    uint64_t items = max_steps + 16 < MAX_ITEMS ? max_steps + 16 : MAX_ITEMS;
    w->magic = TSL_WIRE_MAGIC;
    w->abi = TSL_ABI_VERSION;
    w->output_fd = 200;
    w->stdin_fd = 201;
    w->nslots = SLOTS;
    // Notes come on top of steps: at most two per step in the long run, and some per thread.
    w->max_events = 3 * max_steps + TSL_WIRE_MARGIN;
    w->plan_size = page_up(sizeof(tsl_plan_head) + items * sizeof(tsl_item) +
                           MAX_SLEEP * sizeof(tsl_event) + MAX_INPUTS);
    w->nodes_offset = w->plan_size + page_up(sizeof(tsl_trace_head) +
                                             (w->max_events + TSL_WIRE_MARGIN) * sizeof(tsl_event));
    w->max_nodes = MAX_NODES;
    w->slot_size = w->nodes_offset + page_up(MAX_NODES * sizeof(tsl_expr));
    w->sites_offset = page_up(sizeof(tsl_wire));
    w->sites_size = SITES_SIZE;
    w->cover_funcs_offset = w->sites_offset + SITES_SIZE;
    w->cover_funcs_size = TSL_WIRE_COVER_FUNCS;
    w->cover_places_offset = w->cover_funcs_offset + TSL_WIRE_COVER_FUNCS;
    w->cover_places_size = TSL_WIRE_COVER_PLACES;
    w->cover_map_offset = w->cover_places_offset + TSL_WIRE_COVER_PLACES;
    w->cover_logged_offset = w->cover_map_offset + TSL_COVER_SIZE;
    w->cover_log_offset = w->cover_logged_offset + TSL_COVER_SIZE;
    w->points_offset =
        page_up(w->cover_log_offset + sizeof(tsl_cover_log) + TSL_COVER_SIZE * sizeof(uint32_t));
    w->slots_offset = page_up(w->points_offset + TSL_MAX_POINTS * sizeof(uint32_t));
    w->total_size = w->slots_offset + w->nslots * w->slot_size;
    return w;
}

// When the first process was started: files that later processes find may come from earlier runs.
static struct timespec before_all(void) {
    static struct timespec first;
    if (!first.tv_sec)
        clock_gettime(CLOCK_REALTIME_COARSE, &first);
    return first;
}

void tsl_wire_file_reset(tsl_wire_file *f, uint32_t seq, enum tsl_mode mode) {
    tsl_wire *w = f->wire;
    struct timespec born = before_all();
    *w = *f->layout;
    w->mode = mode;
    w->born_seconds = born.tv_sec;
    w->born_nanoseconds = born.tv_nsec;
    w->plans = w->traces = w->collected = seq;
}

bool tsl_wire_file_open(tsl_wire_file *f, uint64_t max_steps, tsl_err *err) {
    f->layout = lay_out(max_steps);
    f->fd = memfd_create("teasel-wire", MFD_CLOEXEC);
    if (f->fd < 0)
        return tsl_fail(err, TSL_EIO, "can't make shared memory: %s", strerror(errno));
    if (ftruncate(f->fd, (off_t)f->layout->total_size) != 0) {
        close(f->fd);
        return tsl_fail(err, TSL_EIO, "can't make %lu MiB of shared memory: %s%s",
                        (unsigned long)(f->layout->total_size >> 20), strerror(errno),
                        errno == EFBIG ? "; raise `ulimit -f`, or use a smaller --steps" : "");
    }
    void *at = mmap(NULL, f->layout->total_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                    f->fd, 0);
    if (at == MAP_FAILED) {
        close(f->fd);
        return tsl_fail(
            err, TSL_EIO,
            "can't map %lu MiB of shared memory: %s; raise `ulimit -v`, or use a smaller --steps",
            (unsigned long)(f->layout->total_size >> 20), strerror(errno));
    }
    f->wire = at;
    return true;
}

void tsl_wire_file_close(tsl_wire_file *f) {
    if (f->wire)
        munmap(f->wire, f->layout->total_size);
    if (f->wire)
        close(f->fd);
    tsl_free(f->layout);
    f->wire = f->layout = NULL;
}

tsl_plan_head *tsl_wire_file_plan(const tsl_wire_file *f, uint32_t seq) {
    return (tsl_plan_head *)((char *)f->wire + f->layout->slots_offset +
                             (seq % f->layout->nslots) * f->layout->slot_size);
}

const tsl_expr *tsl_wire_file_nodes(const tsl_wire_file *f, uint32_t seq) {
    return (const tsl_expr *)((const char *)tsl_wire_file_plan(f, seq) + f->layout->nodes_offset);
}

tsl_trace_head *tsl_wire_file_trace(const tsl_wire_file *f, uint32_t seq) {
    return (tsl_trace_head *)((char *)tsl_wire_file_plan(f, seq) + f->layout->plan_size);
}
