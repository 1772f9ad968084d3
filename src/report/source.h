// Lines of source files, to show beside what happened there.
#ifndef TSL_REPORT_SOURCE_H
#define TSL_REPORT_SOURCE_H

#include <stdbool.h>

#include "base/buf.h"

// Appends one line (from 1) without its newline, clean for a terminal and at most
// as long as a terminal is wide; false if it can't be read.
bool tsl_source_line(const char *file, unsigned line, tsl_buf *out);

#endif
