// One event as a line of text; see print.h.
#include "trace/print.h"

#include "abi/conflict.h"

#include <inttypes.h>

static bool has_size(unsigned kind) {
    enum tsl_event_class class_ = tsl_event_class(kind);
    return class_ == TSL_CLASS_ACCESS || class_ == TSL_CLASS_ATOMIC || class_ == TSL_CLASS_TOUCH ||
           kind == TSL_EV_ALLOC;
}

// Notes about other threads may stand between an event and its LENGTH.  The search ends at the next
// step, or at a further access of the same step.
uint64_t tsl_print_size(const tsl_trace *trace, size_t i) {
    const tsl_event *event = &trace->events[i];
    bool is_also = event->kind == TSL_EV_ALSO;
    if (!has_size(is_also ? event->res & 255u : event->kind))
        return 0;
    bool follows = event->kind == TSL_EV_ALLOC || event->kind == TSL_EV_FREE;
    unsigned log2 = event->arg & 15u;
    if (!follows && log2 != TSL_ARG_RANGE)
        return log2 <= 4 ? UINT64_C(1) << log2 : 0;
    for (size_t j = i + 1; j < trace->nevents; j++) {
        unsigned kind = trace->events[j].kind;
        if (kind == TSL_EV_LENGTH)
            return trace->events[j].addr;
        if (tsl_event_is_step(kind) || kind == TSL_EV_ALSO)
            break;
    }
    return 0;
}

static void print_also(const tsl_trace *trace, size_t i, tsl_buf *out) {
    const tsl_event *event = &trace->events[i];
    unsigned kind = event->res & 255u, result = event->res >> 8;
    tsl_buf_add(out, " %s 0x%" PRIx64, tsl_event_name(kind), (uint64_t)event->addr);
    if (has_size(kind))
        tsl_buf_add(out, " %" PRIu64, tsl_print_size(trace, i));
    if (result)
        tsl_buf_add(out, " -> %u", result);
}

static void print_pending(const tsl_event *event, tsl_buf *out) {
    tsl_buf_add(out, " %s 0x%" PRIx64, tsl_event_name(event->arg), (uint64_t)event->addr);
    if (has_size(event->arg) && event->res <= 4)
        tsl_buf_add(out, " %u", 1u << event->res);
    if (event->site)
        tsl_buf_add(out, " site %u", event->site);
}

static const char *order_name(unsigned order) {
    static const char *const names[] = {"relaxed", "consume", "acquire",
                                        "release", "acq_rel", "seq_cst"};
    return order < sizeof names / sizeof *names ? names[order] : "unknown-order";
}

void tsl_print_event(const tsl_trace *trace, size_t i, tsl_buf *out) {
    const tsl_event *event = &trace->events[i];
    enum tsl_event_class class_ = tsl_event_class(event->kind);
    tsl_buf_add(out, "T%u %s", event->thread, tsl_event_name(event->kind));
    switch ((unsigned)event->kind) {
    case TSL_EV_ENABLE:
    case TSL_EV_DISABLE:
        tsl_buf_add(out, " T%u", event->res);
        return;
    case TSL_EV_LENGTH:
        tsl_buf_add(out, " %" PRIu64, (uint64_t)event->addr);
        return;
    case TSL_EV_CHOICE:
        tsl_buf_add(out, " %u of %" PRIu64, event->res, (uint64_t)event->addr);
        return;
    case TSL_EV_ALSO:
        print_also(trace, i, out);
        return;
    case TSL_EV_WAKE:
        tsl_buf_add(out, " T%u 0x%" PRIx64 "%s", event->res, (uint64_t)event->addr,
                    event->arg ? " that could have given up" : "");
        return;
    case TSL_EV_PENDING:
        print_pending(event, out);
        return;
    default:
        break;
    }
    if (class_ != TSL_CLASS_LOCAL)
        tsl_buf_add(out, " 0x%" PRIx64, (uint64_t)event->addr);
    if (has_size(event->kind))
        tsl_buf_add(out, " %" PRIu64, tsl_print_size(trace, i));
    if (class_ == TSL_CLASS_ATOMIC || event->kind == TSL_EV_FENCE)
        tsl_buf_add(out, " %s", order_name(TSL_ARG_ORDER((unsigned)event->arg)));
    if (event->site)
        tsl_buf_add(out, " site %u", event->site);
    if (event->kind == TSL_EV_CAS)
        tsl_buf_add(out, " -> %u", event->res & 1u);
    else if ((event->res && !tsl_is_memory(event->kind)) || event->kind == TSL_EV_CREATE)
        tsl_buf_add(out, " -> %u", event->res);
}

void tsl_print_trace(const tsl_trace *trace, tsl_buf *out) {
    for (size_t i = 0; i < trace->nevents; i++) {
        tsl_buf_add(out, "%6zu  ", i);
        tsl_print_event(trace, i, out);
        tsl_buf_putc(out, '\n');
    }
}

void tsl_print_item(const tsl_item *item, tsl_buf *out) {
    if (item->kind == TSL_ITEM_CHOICE)
        tsl_buf_add(out, "c%u", item->value);
    else if (item->count == 1)
        tsl_buf_add(out, "%u", item->value);
    else
        tsl_buf_add(out, "%u*%u", item->value, item->count);
}

void tsl_print_items(const tsl_items *items, tsl_buf *out) {
    for (size_t i = 0; i < items->len; i++) {
        if (i)
            tsl_buf_putc(out, ' ');
        tsl_print_item(&items->data[i], out);
    }
}
