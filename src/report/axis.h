// Numbers to places on a line, and where its marks go.
#ifndef TSL_REPORT_AXIS_H
#define TSL_REPORT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { TSL_AXIS_MARKS = 12 }; // at most

typedef struct tsl_axis {
    bool log;
    double low, high; // numbers, low < high; logarithmic: 0 < low
    double from, to;  // where they are drawn
} tsl_axis;

// Its numbers are made to differ if they do not.
tsl_axis tsl_axis_make(bool log, double low, double high, double from, double to);

// Numbers outside are drawn at the end.
double tsl_axis_at(const tsl_axis *axis, double number);

// Round numbers, no more than `most` and TSL_AXIS_MARKS; whole ones if asked for.  Returns how
// many.
size_t tsl_axis_marks(const tsl_axis *axis, size_t most, bool whole, double *marks);

#endif
