// The hidden state behind rand and its like.
#ifndef TSLRT_LIBC_RANDOM_H
#define TSLRT_LIBC_RANDOM_H

#include <stdint.h>

// The next number: a step.
uint32_t tslrt_random_number(void);

#endif
