// The only source of random numbers: seeded, and the same on every machine.
//
// xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number
// generators", 2021), its state filled by splitmix64 so that any seed will do.
#ifndef TSL_BASE_RNG_H
#define TSL_BASE_RNG_H

#include <stdint.h>

typedef struct tsl_rng {
    uint64_t state[4];
} tsl_rng;

void tsl_rng_init(tsl_rng *rng, uint64_t seed);
uint64_t tsl_rng_next(tsl_rng *rng);

// Uniform in 0..n-1, without the bias of a plain remainder; n must not be 0.
uint64_t tsl_rng_below(tsl_rng *rng, uint64_t n);

#endif
