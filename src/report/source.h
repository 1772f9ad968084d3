// What is on a line of a source file?
#ifndef TSL_REPORT_SOURCE_H
#define TSL_REPORT_SOURCE_H

#include <stdbool.h>

#include "base/buf.h"

// Appends a line (from 1), cut to a terminal's width and safe for it; false if it can't be read.
bool tsl_source_line(const char *file, unsigned line, tsl_buf *out);

#endif
