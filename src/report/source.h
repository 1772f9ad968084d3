// What is on a line of a source file?
#ifndef TSL_REPORT_SOURCE_H
#define TSL_REPORT_SOURCE_H

#include <stdbool.h>

#include "base/buf.h"

// Appends line number `line` (from 1) without its newline, safe for a terminal and cut to its usual
// width; false if it can't be read.
bool tsl_source_line(const char *file, unsigned line, tsl_buf *out);

#endif
