// The inputs of a run; see input.h.  The program under test writes the nodes, so every count is
// checked.
#include "trace/input.h"

#include <string.h>

static void fill(uint8_t *bytes, uint32_t size, const tsl_expr *node) {
    uint8_t raw[16];
    uint32_t n = node->width / 8u;
    memcpy(raw, &node->lo, 8);
    memcpy(raw + 8, &node->hi, 8);
    if (n <= 16 && node->b <= size && size - node->b >= n)
        memcpy(bytes + node->b, raw, n);
}

// The INPUT nodes of an object stand between it and the next object, mixed with other nodes.
static void collect(const tsl_trace *trace, uint32_t label, uint8_t *bytes, uint32_t size) {
    for (uint64_t i = label; i < trace->nnodes; i += 1 + tsl_expr_raw(&trace->nodes[i])) {
        const tsl_expr *node = &trace->nodes[i];
        if (i != label && node->op == TSL_EXPR_OBJECT)
            return;
        if (node->op == TSL_EXPR_INPUT && node->a == label)
            fill(bytes, size, node);
    }
}

void tsl_trace_each_input(const tsl_trace *trace,
                          void (*visit)(void *self, const tsl_shown_input *input), void *self) {
    TSL_VEC(uint8_t) bytes = {0};
    for (uint64_t i = 1; i < trace->nnodes; i += 1 + tsl_expr_raw(&trace->nodes[i])) {
        tsl_expr_object object;
        memcpy(&object, &trace->nodes[i], sizeof object);
        if (object.op != TSL_EXPR_OBJECT || object.size == 0 || object.size > TSL_MAX_INPUT)
            continue;
        tsl_shown_input shown = {.thread = object.thread,
                                 .index = object.index,
                                 .size = object.size,
                                 .site = object.site,
                                 .kind = object.kind < TSL_INPUT_KINDS ? object.kind : 0,
                                 .element = object.element};
        size_t room = (size_t)object.raw * sizeof(tsl_expr);
        if (i + object.raw < trace->nnodes && room) {
            size_t n = room < sizeof shown.name - 1 ? room : sizeof shown.name - 1;
            memcpy(shown.name, &trace->nodes[i + 1], n);
        }
        tsl_vec_reserve(&bytes, object.size);
        memset(bytes.data, 0, object.size);
        collect(trace, (uint32_t)i, bytes.data, object.size);
        shown.bytes = bytes.data;
        visit(self, &shown);
    }
    tsl_vec_drop(&bytes);
}

static void add(void *self, const tsl_shown_input *input) {
    tsl_plan_add_input(self, input->thread, input->index, input->bytes, input->size);
}

void tsl_trace_inputs_to_plan(const tsl_trace *trace, tsl_plan *plan) {
    tsl_vec_clear(&plan->inputs);
    tsl_vec_clear(&plan->input_bytes);
    tsl_trace_each_input(trace, add, plan);
}
