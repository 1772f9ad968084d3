// Did the program itself report that it failed?
//
// A program that can't open a file or a socket prints a complaint and exits with a status other
// than 0.  That is a bug only with --fail-on-exit, but the user who reads "0 bugs" should know that
// no run got far.
#ifndef TSL_REPORT_EXITS_H
#define TSL_REPORT_EXITS_H

#include "base/buf.h"
#include "trace/trace.h"

typedef struct tsl_exits {
    uint64_t ended;  // runs that ended by themselves
    uint64_t failed; // of these, with an exit status other than 0
    int32_t status;  // of the first that failed
    bool differ;     // there were statuses other than 0 and `status`
    char said[120];  // the last line that the first failed run printed, or ""
} tsl_exits;

void tsl_exits_add(tsl_exits *exits, const tsl_trace_head *head);

// Prints lines of the summary; nothing if every run ended with 0.
void tsl_exits_text(const tsl_exits *exits, tsl_buf *out);

#endif
