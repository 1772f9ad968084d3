// Names threads, places and objects; see names.h.
#include "report/names.h"

#include <inttypes.h>

#include "base/file.h"
#include "trace/place.h"

// ---------------------------------------------------------------- threads

const tsl_thread_info *tsl_names_find(const tsl_names *names, unsigned thread) {
    for (size_t i = 0; i < names->nthreads; i++)
        if (names->threads[i].thread == thread)
            return &names->threads[i];
    return NULL;
}

void tsl_names_thread(const tsl_names *names, unsigned thread, tsl_buf *out) {
    uint16_t path[64];
    size_t depth = 0;
    unsigned at = thread;
    // The way up to main.  The records are not trusted: a cycle in them must not hang.
    while (at != 0 && depth < 64) {
        const tsl_thread_info *info = tsl_names_find(names, at);
        if (!info)
            break;
        path[depth++] = info->index;
        at = info->parent;
    }
    if (at != 0) {
        tsl_buf_add(out, "T#%u", thread); // only its number is known
        return;
    }
    tsl_buf_putc(out, 'T');
    if (depth == 0)
        tsl_buf_putc(out, '0');
    for (size_t i = depth; i-- > 0;)
        tsl_buf_add(out, "%u%s", path[i], i ? "." : "");
}

// ---------------------------------------------------------------- places

void tsl_names_site(const tsl_names *names, uint32_t site, tsl_buf *out) {
    tsl_where where;
    if (tsl_sites_get(names->sites, site, &where))
        tsl_buf_add(out, "%s:%u", names->brief ? tsl_file_base(where.file) : where.file,
                    where.line);
    else
        tsl_buf_putc(out, '-');
}

void tsl_names_site_in(const tsl_names *names, uint32_t site, tsl_buf *out) {
    tsl_where where;
    tsl_names_site(names, site, out);
    if (tsl_sites_get(names->sites, site, &where) && where.func[0])
        tsl_buf_add(out, " in %s", where.func);
}

// ---------------------------------------------------------------- objects

static void heap_object(const tsl_names *names, uint64_t addr, unsigned thread, tsl_buf *out) {
    tsl_block block;
    if (!names->run || !tsl_run_block(names->run, addr, &block)) {
        tsl_buf_add(out, "heap 0x%" PRIx64 " of ", addr);
        tsl_names_thread(names, thread, out);
        return;
    }
    tsl_buf_puts(out, "heap block of ");
    tsl_names_site(names, block.site, out);
    if (addr != block.addr)
        tsl_buf_add(out, "+%" PRIu64, addr - block.addr);
}

static bool signal_object(const tsl_names *names, uint64_t addr, tsl_buf *out) {
    int thread;
    unsigned signal;
    if (!tsl_place_signal(addr, &thread, &signal))
        return false;
    if (signal == 0) {
        tsl_buf_puts(out, "signal masks");
        return true;
    }
    tsl_buf_add(out, "signal %u of ", signal);
    if (thread < 0)
        tsl_buf_puts(out, "the process");
    else
        tsl_names_thread(names, (unsigned)thread, out);
    return true;
}

void tsl_names_object(const tsl_names *names, uint64_t addr, tsl_buf *out) {
    tsl_place place = tsl_place_of(addr);
    switch (place.kind) {
    case TSL_PLACE_HEAP:
        heap_object(names, addr, place.thread, out);
        return;
    case TSL_PLACE_STACK:
        tsl_buf_puts(out, "stack of ");
        tsl_names_thread(names, place.thread, out);
        tsl_buf_add(out, " 0x%" PRIx64, addr);
        return;
    case TSL_PLACE_CHANNEL:
        tsl_buf_add(out, "pipe, socket or eventfd %u of ", tsl_place_channel(addr));
        tsl_names_thread(names, place.thread, out);
        return;
    case TSL_PLACE_THREAD:
        tsl_names_thread(names, place.thread, out);
        return;
    case TSL_PLACE_RUNTIME:
        if (signal_object(names, addr, out))
            return;
        break;
    case TSL_PLACE_OTHER:
        if (tsl_place_state(addr)) {
            tsl_buf_puts(out, tsl_place_state(addr));
            return;
        }
        if (tsl_symbols_data(names->symbols, addr, out))
            return;
        break;
    }
    tsl_buf_add(out, "0x%" PRIx64, addr);
}

static void start_routine(const tsl_names *names, unsigned thread, tsl_buf *out) {
    const tsl_thread_info *info = tsl_names_find(names, thread);
    const char *name = info ? tsl_symbols_function(names->symbols, info->start_routine) : NULL;
    if (name)
        tsl_buf_puts(out, name);
}

void tsl_names_step(const tsl_names *names, const tsl_step_view *step, tsl_buf *out) {
    unsigned kind = step->op.kind, thread = step->op.thread;
    switch (tsl_event_class(kind)) {
    case TSL_CLASS_ACCESS:
    case TSL_CLASS_ATOMIC:
    case TSL_CLASS_TOUCH:
    case TSL_CLASS_SYNC:
        if (kind == TSL_EV_IO) // its object is a name for all descriptors
            tsl_buf_puts(out, "descriptors");
        else if (step->addr)
            tsl_names_object(names, step->addr, out);
        break;
    case TSL_CLASS_THREAD:
        if (kind == TSL_EV_CREATE || kind == TSL_EV_CANCEL || kind == TSL_EV_KILL)
            tsl_names_thread(names, step->res % TSL_MAX_THREADS, out);
        else if (kind == TSL_EV_START)
            start_routine(names, thread, out);
        else if (kind != TSL_EV_END && kind != TSL_EV_TESTCANCEL && kind != TSL_EV_TESTSIGNAL)
            tsl_names_object(names, step->addr, out);
        break;
    case TSL_CLASS_NOTE:
    case TSL_CLASS_LOCAL:
        break;
    }
}

void tsl_names_clean(const char *text, size_t len, tsl_buf *out) {
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        bool space = c == '\n' || c == '\t' || c == '\r';
        tsl_buf_putc(out, space ? ' ' : c < 0x20 || c == 0x7f ? '?' : (char)c);
    }
}
