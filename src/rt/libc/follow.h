// What do libc's functions mean for labels?
//
// libc does the work; these functions tell what its result depends on.  Each character that is
// looked at and depends on inputs is an input branch, as if the function were a loop of the
// program.  Results that are numbers get an expression, which is dropped if its value is not the
// result.
#ifndef TSLRT_LIBC_FOLLOW_H
#define TSLRT_LIBC_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns the labels of the arguments.  Arguments whose bit in `keep` is 0 are pinned to their
// values.  To be called first.
typedef struct follow_args {
    uint32_t label[6];
} follow_args;
follow_args tslrt_follow_args(const void *self, unsigned keep, uint32_t site);
bool tslrt_follows(void); // are inputs followed in this run?

void tslrt_follow_pin(uint32_t label, uint32_t site); // unless it is 0

// The result is a character with this label; is `label` that of a result with this character?
void tslrt_follow_character(const void *self, uint32_t character);
bool tslrt_follow_is_character(uint32_t label, uint32_t character);
// n characters were read, up to and including the first `end`.
void tslrt_follow_line(const char *s, size_t n, char end, uint32_t site);
void tslrt_follow_length(const char *s, size_t most, size_t n, uint32_t site);
// The result is the difference of the first two characters that differ.
int tslrt_follow_compare(const void *self, const char *a, const char *b, size_t most, bool text,
                         bool fold, uint32_t site);
void tslrt_follow_find(const char *s, size_t most, uint32_t what_label, int what, bool text,
                       bool last, uint32_t site);
// strspn, strcspn, strpbrk: which of the first characters are in the set?
void tslrt_follow_span(const char *s, const char *set, bool of_set, uint32_t site);
void tslrt_follow_strstr(const char *s, const char *what, uint32_t site);
// A sign, a prefix and digits, as strtol and scanf read them, up to `limit` unless that is NULL.
typedef struct followed_number {
    bool is_number;
    const char *end;
    uint64_t value; // without its sign
    uint32_t label; // of width 64, with its sign; or 0
} followed_number;
followed_number tslrt_follow_integer(const char *s, const char *limit, int base, uint32_t site);
uint32_t tslrt_follow_fitted(uint32_t label, unsigned width, uint64_t answer, uint32_t site);
void tslrt_follow_number(const void *self, const char *s, int base, unsigned width, uint64_t answer,
                         uint32_t site);
// isalpha, tolower, ...: a look-up in one of libc's tables; `mask` selects bits, and 0 means all.
void tslrt_follow_class(const void *self, uint32_t label, const void *table, unsigned element,
                        unsigned mask, int answer);
// A comparison function of the program has returned `order`.  Records whether that is at most 0
// and, if `exact`, whether it is 0.
void tslrt_follow_order(const void *function, int order, bool exact, uint32_t site);

#endif
