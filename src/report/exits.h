// Did the program itself say that it failed?
//
// A program that can't open its file or its socket prints a complaint and exits with a status other than 0.
// That is a finding only with --fail-on-exit, but whoever reads "0 bugs" should know that every run
// stopped at the door.
#ifndef TSL_REPORT_EXITS_H
#define TSL_REPORT_EXITS_H

#include "base/buf.h"
#include "trace/trace.h"

typedef struct tsl_exits {
    uint64_t ended;  // runs that ended by themselves
    uint64_t failed; // of these, with an exit status other than 0
    int32_t status;  // of the first that failed
    bool differ;     // there were other statuses than that and 0
    char said[120];  // the last line that the first of them printed, or ""
} tsl_exits;

void tsl_exits_add(tsl_exits *exits, const tsl_trace_head *head);

// Lines of a summary; nothing if every run ended with 0.
void tsl_exits_text(const tsl_exits *exits, tsl_buf *out);

#endif
