// Strict conversion of text to numbers.
//
// Unlike strtoull, this takes no blanks, no sign and nothing behind the number, and tells an
// overflow from junk, because the advice to the user differs.
#ifndef TSL_BASE_NUM_H
#define TSL_BASE_NUM_H

#include <stddef.h>
#include <stdint.h>

enum tsl_num { TSL_NUM_OK, TSL_NUM_JUNK, TSL_NUM_NEGATIVE, TSL_NUM_OVERFLOW };

enum tsl_num tsl_num_u64(const char *text, size_t len, uint64_t *out); // decimal
enum tsl_num tsl_num_hex(const char *text, size_t len, uint64_t *out); // without 0x

// A time in seconds: "10", "0.5", "250ms", "90s", "5m", "2h".
enum tsl_num tsl_num_seconds(const char *text, double *out);

// "is not a number", "is negative", "is too large": the end of a sentence about the text.
const char *tsl_num_problem(enum tsl_num problem);

#endif
