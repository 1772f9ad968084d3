// Where on an axis is a number drawn, and where do the axis's marks go?
#ifndef TSL_REPORT_AXIS_H
#define TSL_REPORT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { TSL_AXIS_MARKS = 12 }; // the largest number of marks

typedef struct tsl_axis {
    bool log;
    double low, high; // the ends of the axis, low < high; 0 < low if logarithmic
    double from, to;  // where the ends are drawn
} tsl_axis;

// If `low` and `high` do not differ, they are made to.
tsl_axis tsl_axis_make(bool log, double low, double high, double from, double to);

// Where to draw a number; numbers outside the axis are drawn at its end.
double tsl_axis_at(const tsl_axis *axis, double number);

// Fills in round numbers, no more than `most` and TSL_AXIS_MARKS; only whole numbers if `whole`.
// Returns how many.
size_t tsl_axis_marks(const tsl_axis *axis, size_t most, bool whole, double *marks);

#endif
