// Which functions and lines of the source are a thread's stack?
//
// Raw return addresses become functions with lines, and functions inlined at one address become
// frames of their own.  Frames that the user did not write are left out: those of the runtime, and
// those of libc outside main or a thread's start routine.
#ifndef TSL_REPORT_STACK_H
#define TSL_REPORT_STACK_H

#include "report/names.h"

#define TSL_STACK_MAX 64

// Fills out[0..n-1], innermost first; returns n <= TSL_STACK_MAX.
size_t tsl_stack_frames(const tsl_names *names, const tsl_thread_info *info,
                        tsl_frame out[TSL_STACK_MAX]);

// "worker prog.c:12:5"; "strlen+0x12 (libc.so.6)" without debug information.
void tsl_stack_frame(const tsl_names *names, const tsl_frame *frame, tsl_buf *out);

// The innermost place in instrumented code, or else in any code with debug information.  Strings
// are borrowed from sites and symbols.
bool tsl_stack_where(const tsl_names *names, const tsl_thread_info *info, tsl_where *out);

#endif
