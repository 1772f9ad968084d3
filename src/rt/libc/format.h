// Formats of printf and scanf, and the arguments behind them.
#ifndef TSLRT_FORMAT_H
#define TSLRT_FORMAT_H

#include <stdarg.h>

#include "../rt.h"

// One conversion, from its % on.
typedef struct directive {
    const char *start, *end;
    char kind;                // its letter, 0: the format is broken
    uint8_t size;             // of an integer, in bytes; of other kinds 4 unless a length was given
    unsigned stars;           // arguments for width and precision (printf)
    unsigned number, star[2]; // of its argument (%3$d) and of those, from 1 on; 0: the next one
    bool suppressed;          // not assigned (scanf)
    bool left, zero;          // printf
    bool is_plain;            // has nothing but these and what follows
    bool has_precision;
    int width, precision; // 0 and -1 if they are not there, or arguments
} directive;

directive format_directive(const char *start, bool scans);

// Arguments with their labels.  Which argument is next is known by where va_arg will look for it.
typedef struct varargs {
    va_list list;
} varargs;

// At the start of a function with `fixed` arguments and more: the fixed ones are settled, labels
// of the others go to where their values are.  `list` is its va_list.  Returns how many there are, to be
// forgotten at its end.
unsigned varargs_take(const void *self, unsigned fixed, const void *list, uint32_t site);
void varargs_forget(const void *list, unsigned n);
uint64_t varargs_integer(varargs *v, unsigned size, uint32_t *label);
void *varargs_pointer(varargs *v, uint32_t site); // is settled

// Says that a function does not follow what depends on inputs.
void format_lost(const char *function);

#endif
