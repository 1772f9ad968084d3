// The inputs of a run, as its Trace tells them (abi/symbol.h).
#ifndef TSL_TRACE_INPUT_H
#define TSL_TRACE_INPUT_H

#include "trace/trace.h"

// One input of a run; its name and bytes are borrowed.
typedef struct tsl_shown_input {
    uint32_t thread, index, size, site;
    uint8_t kind; // enum tsl_input_kind
    uint32_t element;
    char name[256];
    const uint8_t *bytes;
} tsl_shown_input;

// Calls `visit` for each input in the order of asking; nodes that make no sense are left out.
void tsl_trace_each_input(const tsl_trace *trace,
                          void (*visit)(void *self, const tsl_shown_input *input), void *self);

// Puts all inputs into the Plan, in place of the Plan's own.
void tsl_trace_inputs_to_plan(const tsl_trace *trace, tsl_plan *plan);

#endif
