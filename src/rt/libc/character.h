// Characters in memory that may depend on inputs, and input branches on them.
#ifndef TSLRT_LIBC_CHARACTER_H
#define TSLRT_LIBC_CHARACTER_H

#include <stdbool.h>
#include <stdint.h>

uint32_t character_label(const char *p); // of width 8, or 0
// Conditions on such a label.
uint32_t character_is(uint32_t label, uint8_t c);
uint32_t character_in(uint32_t label, uint8_t from, uint8_t n); // one of the n from `from` on

// Each of these answers a question and records it as an input branch.
bool decide_is(const char *p, uint8_t c, uint32_t site);
bool decide_end(const char *p, uint32_t site); // of a string
bool decide_space(const char *p, uint32_t site);
// Letters are digits from 10 on.
typedef struct digit {
    int value;      // -1 if the character is no digit
    uint32_t label; // of width 64, or 0
} digit;
digit decide_digit(const char *p, int base, uint32_t site);

#endif
