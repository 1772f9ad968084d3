// What happens when something goes wrong.  There are three cases:
//
//   a bug in Teasel       TSL_BUG_ON: on in every build, says where, aborts
//   out of memory         fatal, see mem.h
//   the world refuses     bool f(..., tsl_err *err): returns false and fills err
//
// An error is filled once, where it happens; callers on the way up only return false.  What the
// program under test does is an outcome and never an error.
#ifndef TSL_BASE_ERR_H
#define TSL_BASE_ERR_H

#include <stdbool.h>

enum tsl_err_code {
    TSL_EOK,
    TSL_EIO,      // a file, pipe or process failed
    TSL_EINPUT,   // a file or message has the wrong content
    TSL_EUSAGE,   // the command line makes no sense
    TSL_EVERSION, // made by another version
    TSL_ELIMIT,   // more than a fixed limit allows
    TSL_EPROGRAM, // the program under test can't be tested as it is
    TSL_ESTOPPED  // a signal came before anything could be tested
};

typedef struct tsl_err {
    int code; // enum tsl_err_code; TSL_EOK while nothing failed
    char text[1024];
} tsl_err;

// Always returns false, so that `return tsl_fail(...)` ends a function.  The first failure stays,
// because an err that is filled is not overwritten.  err may be NULL.
bool tsl_fail(tsl_err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

// Empties an err, so that it can be filled again.
void tsl_err_clear(tsl_err *err);

// A bug in Teasel: prints the message, which should have the values, and aborts.
#define TSL_BUG_ON(cond, ...)                                                                      \
    do {                                                                                           \
        if (__builtin_expect(!!(cond), 0))                                                         \
            tsl_abort_bug(__FILE__, __LINE__, #cond, __VA_ARGS__);                                 \
    } while (0)

_Noreturn void tsl_abort_bug(const char *file, int line, const char *cond, const char *fmt, ...)
    __attribute__((cold, format(printf, 4, 5)));

#endif
