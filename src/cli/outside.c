// Options that make inputs of what a program gets from outside; see outside.h.
#include "cli/outside.h"

#include <string.h>

#include "base/num.h"

// How many bytes an input has.  `example` is how the option is written right.
static bool size_of(const char *option, const char *text, size_t len, const char *example,
                    uint32_t *out, tsl_err *err) {
    uint64_t size = 0;
    enum tsl_num problem = tsl_num_u64(text, len, &size);
    if (problem != TSL_NUM_OK && problem != TSL_NUM_OVERFLOW)
        return tsl_fail(err, TSL_EUSAGE, "--%s: '%.*s' %s; it says how many bytes: %s", option,
                        (int)len, text, tsl_num_problem(problem), example);
    if (problem == TSL_NUM_OVERFLOW || size == 0 || size > TSL_MAX_INPUT)
        return tsl_fail(err, TSL_EUSAGE, "--%s: an input has 1 to %u bytes, not %.*s: %s", option,
                        TSL_MAX_INPUT, (int)len, text, example);
    *out = (uint32_t)size;
    return true;
}

// ---------------------------------------------------------------- --stdin

static bool is_number(const char *text) { return *text && !text[strspn(text, "0123456789")]; }

// A file whose name is a number is written with a folder in front: ./5
static bool check_stdin(tsl_outside_options *o, tsl_err *err) {
    const char *text = o->standard_input;
    uint32_t size;
    if (!text || !is_number(text)) {
        o->stdin_path = text;
        return true;
    }
    return size_of("stdin", text, strlen(text), "--stdin 16 (--stdin ./16 names a file)", &size,
                   err) &&
           tsl_outsides_add(&o->outside, TSL_OUTSIDE_STDIN, size, 0, "", err);
}

// ---------------------------------------------------------------- all

bool tsl_outside_options_check(tsl_outside_options *o, tsl_err *err) { return check_stdin(o, err); }

void tsl_outside_options_drop(tsl_outside_options *o) { tsl_outsides_drop(&o->outside); }
