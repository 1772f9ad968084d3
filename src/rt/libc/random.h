// The hidden state behind rand and its like.
#ifndef TSLRT_LIBC_RANDOM_H
#define TSLRT_LIBC_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Of a run.
typedef struct tslrt_generator {
    uint64_t state; // of rand and its like
    char *memory;   // what initstate or setstate was given last, or NULL
    size_t size;
    struct random_data data;
} tslrt_generator;

// Takes a step and returns the next number.
uint32_t tslrt_random_number(void);

#endif
