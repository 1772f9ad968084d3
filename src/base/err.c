// Errors of the world, and aborting on errors of our own.
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool tsl_fail(tsl_err *err, int code, const char *fmt, ...) {
    if (!err || err->code != TSL_EOK)
        return false;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    err->code = code;
    return false;
}

void tsl_err_clear(tsl_err *err) {
    err->code = TSL_EOK;
    err->text[0] = 0;
}

void tsl_abort_bug(const char *file, int line, const char *cond, const char *fmt, ...) {
    // What was printed so far must come before the message.
    fflush(stdout);
    fprintf(stderr, "teasel: bug in Teasel at %s:%d (%s): ", file, line, cond);
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\nteasel: please report this with the command line and the program\n");
    abort();
}
