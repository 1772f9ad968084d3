#include "report/axis.h"

#include <math.h>

tsl_axis tsl_axis_make(bool log, double low, double high, double from, double to) {
    if (high <= low)
        high = log ? low * 2 : low + 1;
    return (tsl_axis){log, low, high, from, to};
}

double tsl_axis_at(const tsl_axis *a, double number) {
    number = number < a->low ? a->low : number > a->high ? a->high : number;
    double share = a->log ? log(number / a->low) / log(a->high / a->low)
                          : (number - a->low) / (a->high - a->low);
    return a->from + share * (a->to - a->from);
}

// A distance between marks: 1, 2 or 5 times a power of ten.
static double step_of(double range, size_t most) {
    double wanted = range / (double)most, power = pow(10, floor(log10(wanted)));
    return power * (wanted <= power ? 1 : wanted <= 2 * power ? 2 : wanted <= 5 * power ? 5 : 10);
}

static size_t linear_marks(const tsl_axis *a, size_t most, bool whole, double *marks) {
    double step = step_of(a->high - a->low, most);
    step = whole && step < 1 ? 1 : step;
    size_t n = 0;
    for (double i = ceil(a->low / step); n < most && i * step <= a->high * 1.000001; i++)
        marks[n++] = i * step;
    return n;
}

// Marks at powers of ten, at all of them or at every n-th; also between them if there are few.
static size_t log_marks(const tsl_axis *a, size_t most, bool whole, double *marks) {
    static const double between[] = {1, 2, 5};
    double first = floor(log10(a->low)), decades = log10(a->high / a->low);
    size_t n = 0, all = decades * 3 < (double)most ? 3 : 1;
    double step = ceil((decades + 1) / (double)most);
    for (double i = first; n < most && pow(10, i) <= a->high * 1.000001; i += step)
        for (size_t k = 0; k < all && n < most; k++) {
            double mark = between[k] * pow(10, i);
            if (mark >= a->low * 0.999999 && !(whole && mark < 1) && mark <= a->high * 1.000001)
                marks[n++] = mark;
        }
    return n;
}

size_t tsl_axis_marks(const tsl_axis *a, size_t most, bool whole, double *marks) {
    most = most > TSL_AXIS_MARKS ? TSL_AXIS_MARKS : most;
    return a->log ? log_marks(a, most, whole, marks) : linear_marks(a, most, whole, marks);
}
