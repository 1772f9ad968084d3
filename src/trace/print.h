// One event as a line of text, for dumps, logs and diffs of two traces.
//
//     T1 write 0x100000000010 4 site 12
//
// The report with names and source lines is report/text.h.
#ifndef TSL_TRACE_PRINT_H
#define TSL_TRACE_PRINT_H

#include "base/buf.h"
#include "trace/trace.h"

// Event i of the trace; without a newline.
void tsl_print_event(const tsl_trace *trace, size_t i, tsl_buf *out);

// All events, numbered, one per line.
void tsl_print_trace(const tsl_trace *trace, tsl_buf *out);

// A schedule as in a replay file: "0*3 1*4 c2 0".
void tsl_print_items(const tsl_items *items, tsl_buf *out);
void tsl_print_item(const tsl_item *item, tsl_buf *out);

// How many bytes an access, an allocation or a free is about, by `arg` or by the LENGTH note that
// follows; 0 for other events.
uint64_t tsl_print_size(const tsl_trace *trace, size_t i);

#endif
