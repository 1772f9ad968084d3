// What do libc's functions mean for labels?
//
// libc does the work; here is said what its answer depends on.  Every character that is looked
// at and depends on inputs is a decision, as if the function were a loop of the program;
// answers that are numbers get an expression.  Each function is shown the answer, and
// an expression that does not have this value is dropped.
#ifndef TSLRT_FOLLOW_H
#define TSLRT_FOLLOW_H

#include "../rt.h"

// Arguments that depend on inputs stay as they are, but for those of `keep` (a bit each); their
// labels.  Call it first.
typedef struct follow_args {
    uint32_t label[6];
} follow_args;
follow_args tslrt_follow_args(const void *self, unsigned keep, uint32_t site);
bool tslrt_follows(void); // somebody asks

void tslrt_follow_pin(uint32_t label, uint32_t site); // it is what it is; 0 always is

// The answer is a character with this label; is a label that of an answer with this character?
void tslrt_follow_character(const void *self, uint32_t character);
bool tslrt_follow_is_character(uint32_t label, uint32_t character);
// n characters were read, up to and with the first `end`.
void tslrt_follow_line(const char *s, size_t n, char end, uint32_t site);
void tslrt_follow_length(const char *s, size_t most, size_t n, uint32_t site);
// The answer is the difference of the first two characters that differ.
int tslrt_follow_compare(const void *self, const char *a, const char *b, size_t most, bool text,
                         bool fold, uint32_t site);
void tslrt_follow_find(const char *s, size_t most, uint32_t what_label, int what, bool text,
                       bool last, uint32_t site);
// strspn, strcspn, strpbrk: which of the characters in front are of the set.
void tslrt_follow_span(const char *s, const char *set, bool of_set, uint32_t site);
void tslrt_follow_strstr(const char *s, const char *what, uint32_t site);
// A sign, a prefix and digits, as strtol and scanf read them; not beyond `limit` if that is not NULL.
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
void tslrt_follow_copy(void *to, const void *from, size_t n);
void tslrt_follow_fill(void *to, uint32_t label, size_t n);
// isalpha, tolower, ...: one of libc's tables, and which of its bits; 0: all.
void tslrt_follow_class(const void *self, uint32_t label, const void *table, unsigned element,
                        unsigned mask, int answer);
// A comparison function was just called: was its answer at most 0, and was it 0 if that counts too?
void tslrt_follow_order(const void *function, int order, bool exact, uint32_t site);

#endif
