// Formats of printf and scanf, and their arguments.
#ifndef TSLRT_LIBC_FORMAT_H
#define TSLRT_LIBC_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

// One conversion.
typedef struct directive {
    const char *start, *end;  // start: its %
    char kind;                // its letter; 0 if the format is broken
    uint8_t size;             // of an integer, in bytes; of other kinds 4 unless a length was given
    unsigned stars;           // arguments for width and precision (printf)
    unsigned number, star[2]; // numbers of its argument (%3$d) and of those; 0: the next one
    bool suppressed;          // not assigned (scanf)
    bool left, zero;          // flags of printf
    bool is_plain;            // it has no other flags
    bool has_precision;
    int width, precision; // 0 and -1 if they are missing, or arguments
} directive;

directive format_directive(const char *start, bool scans);

// Variadic arguments.  Each has its label at the place where va_arg will look for the argument.
typedef struct varargs {
    va_list list;
} varargs;

// At the start of a variadic function with `fixed` named arguments: those are pinned, and the
// labels of the others are stored where their values are.  `list` is the function's va_list.
// Returns the number of those labels, which the function must forget at its end.
unsigned varargs_take(const void *self, unsigned fixed, const void *list, uint32_t site);
void varargs_forget(const void *list, unsigned n);
uint64_t varargs_integer(varargs *v, unsigned size, uint32_t *label);
void *varargs_pointer(varargs *v, uint32_t site); // is pinned

// Defines name with `fixed` named arguments, the last of them a format, and vname, which has a list
// instead of further arguments.  Both return `call`, which may consume the list `used`.
#define FOLLOWED(name, fixed, parameters, call)                                                    \
    API int __teasel_##name(parameters const char *format, ...) {                                  \
        va_list args, used;                                                                        \
        uint32_t site = tslrt_take_site();                                                         \
        va_start(args, format);                                                                    \
        unsigned n = varargs_take((const void *)__teasel_##name, fixed, &args, site);              \
        va_copy(used, args);                                                                       \
        int result = call;                                                                         \
        va_end(used);                                                                              \
        varargs_forget(&args, n);                                                                  \
        va_end(args);                                                                              \
        return result;                                                                             \
    }                                                                                              \
    API int __teasel_v##name(parameters const char *format, va_list used) {                        \
        uint32_t site = tslrt_take_site();                                                         \
        tslrt_follow_args((const void *)__teasel_v##name, 0, site);                                \
        return call;                                                                               \
    }

// Says that a function does not follow what depends on inputs.
void format_lost(const char *function);

#endif
