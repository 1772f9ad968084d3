// The hidden state behind rand and its like.
#ifndef TSLRT_LIBC_RANDOM_H
#define TSLRT_LIBC_RANDOM_H

#include <stdint.h>

// Takes a step and returns the next number.
uint32_t tslrt_random_number(void);

#endif
