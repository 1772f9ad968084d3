// A thread's stack in the words of the source.
//
// Raw return addresses become functions with lines; functions inlined at one
// address become frames of their own; the runtime's own frames and what libc does
// before main or a thread's start routine are left out: the user did not write them.
#ifndef TSL_REPORT_STACK_H
#define TSL_REPORT_STACK_H

#include "report/names.h"

#define TSL_STACK_MAX 64

// Fills out[0..n-1], innermost first; returns n <= TSL_STACK_MAX.
size_t tsl_stack_frames(const tsl_names *names, const tsl_thread_info *info,
                        tsl_frame out[TSL_STACK_MAX]);

// "worker prog.c:12:5"; "strlen+0x12 (libc.so.6)" without debug information.
void tsl_stack_frame(const tsl_names *names, const tsl_frame *frame, tsl_buf *out);

// The innermost place in code the user instrumented, else in code with debug
// information at all.  Strings are borrowed from sites and symbols.
bool tsl_stack_where(const tsl_names *names, const tsl_thread_info *info, tsl_where *out);

#endif
