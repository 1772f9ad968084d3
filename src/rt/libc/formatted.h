// Which memory do the arguments of a format point to?
//
// None of these functions consumes its list.
#ifndef TSLRT_LIBC_FORMATTED_H
#define TSLRT_LIBC_FORMATTED_H

#include <stdarg.h>

#include "../extern.h"
#include "ranges.h"

// printf: is there a string that is no constant, or a %n, among the arguments?
bool formatted_has_strings(const char *format, va_list list);
// The step of a call of printf or its like: what its row says of `args`, and the strings it prints.
void formatted_begin(enum tsl_libc_row row, const uint64_t *args, const char *format, va_list list,
                     uint32_t site);
// The last step reads the strings, and the format itself.
void formatted_reads(const char *format, va_list list, tslrt_teller *tell, uint32_t site);
// The last step reads the locale, if the format depends on it and the program may change it.
void formatted_locale(const char *format, bool scans);
// printf has returned: the last step stored what %n counts.
void formatted_counts(const char *format, va_list list, uint32_t site);

// scanf has returned `result`: so many conversions were stored.  `text` was scanned, unless NULL.
void formatted_stores(const char *format, va_list list, int result, const char *text,
                      uint32_t site);

// Defines name, and vname, which has a list instead of further arguments.  `call` consumes `list`;
// body(name, given, call) makes the call and tells what it does, and leaves its result in n.
#define FORMATTED(body, character, name, parameters, given, call)                                  \
    API int __teasel_v##name(parameters const character *format, va_list list) {                   \
        uint32_t site = tslrt_take_site();                                                         \
        body(v##name, given, call);                                                                \
        return n;                                                                                  \
    }                                                                                              \
    API int __teasel_##name(parameters const character *format, ...) {                             \
        uint32_t site = tslrt_take_site();                                                         \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        body(name, given, call);                                                                   \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }
#define AND ,

// The arguments up to the format, from a list in parentheses.
#define GIVEN(...)                                                                                 \
    { __VA_ARGS__ }
#define ARGUMENTS(given) ((const uint64_t[TSL_CALL_ARGS])GIVEN given)

#endif
