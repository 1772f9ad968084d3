// Strict conversion of text to numbers; see num.h.
#include "base/num.h"

#include <string.h>

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static enum tsl_num parse(const char *text, size_t len, unsigned base, uint64_t *out) {
    size_t start = len > 1 && text[0] == '-';
    if (len == 0)
        return TSL_NUM_JUNK;
    uint64_t value = 0;
    int overflow = 0;
    for (size_t i = start; i < len; i++) {
        unsigned d = (unsigned)digit(text[i]);
        if (d >= base)
            return TSL_NUM_JUNK;
        overflow |= __builtin_mul_overflow(value, base, &value);
        overflow |= __builtin_add_overflow(value, d, &value);
    }
    if (start)
        return TSL_NUM_NEGATIVE;
    if (overflow)
        return TSL_NUM_OVERFLOW;
    *out = value;
    return TSL_NUM_OK;
}

enum tsl_num tsl_num_u64(const char *text, size_t len, uint64_t *out) {
    return parse(text, len, 10, out);
}

enum tsl_num tsl_num_hex(const char *text, size_t len, uint64_t *out) {
    return parse(text, len, 16, out);
}

// Seconds of one unit; 0 if there is no such unit.
static double unit_seconds(const char *unit) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1},     {"ms", 1e-3}, {"s", 1},    {"m", 60},
                 {"min", 60}, {"h", 3600},  {"d", 86400}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].seconds;
    return 0;
}

enum tsl_num tsl_num_seconds(const char *text, double *out) {
    // strtod would depend on the locale and take "inf", "nan" and hex.
    double value = 0, scale = 1;
    size_t digits = 0;
    const char *p = text + (text[0] == '-');
    for (; *p >= '0' && *p <= '9'; p++, digits++)
        value = value * 10 + (*p - '0');
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++, digits++)
            value += (*p - '0') * (scale /= 10);
    double unit = unit_seconds(p);
    if (digits == 0 || unit == 0)
        return TSL_NUM_JUNK;
    if (text[0] == '-')
        return TSL_NUM_NEGATIVE;
    if (value * unit > 1e9)
        return TSL_NUM_OVERFLOW;
    *out = value * unit;
    return TSL_NUM_OK;
}

const char *tsl_num_problem(enum tsl_num problem) {
    switch (problem) {
    case TSL_NUM_NEGATIVE:
        return "is negative";
    case TSL_NUM_OVERFLOW:
        return "is too large";
    case TSL_NUM_JUNK:
        return "is not a number";
    case TSL_NUM_OK:
        break;
    }
    return "is fine";
}
