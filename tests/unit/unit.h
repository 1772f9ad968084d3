// What does every unit test need?  cmocka, what cmocka needs before it, and a few assertions.
#ifndef TSL_TEST_UNIT_H
#define TSL_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

#define assert_contains(text, part)                                                                \
    do {                                                                                           \
        if (!strstr(text, part))                                                                   \
            fail_msg("'%s' is not in:\n%s", part, text);                                           \
    } while (0)

// A parser refused a text: where, why, and in one line without anything that a terminal would obey.
typedef struct refusal {
    const char *text, *where, *says;
    int code;
} refusal;

static inline void assert_refused(const refusal *wanted, const tsl_err *err) {
    if (strncmp(err->text, wanted->where, 4) != 0 || !strstr(err->text, wanted->says))
        fail_msg("of '%s' it says '%s', not '%s %s'", wanted->text, err->text, wanted->where,
                 wanted->says);
    assert_int_equal(err->code, wanted->code);
    assert_null(strpbrk(err->text, "\n\x1b"));
}

#endif
