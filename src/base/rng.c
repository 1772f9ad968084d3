// xoshiro256** seeded by splitmix64; see rng.h.
#include "base/rng.h"

#include "base/err.h"

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

void tsl_rng_init(tsl_rng *rng, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        rng->state[i] = splitmix(&seed);
}

uint64_t tsl_rng_next(tsl_rng *rng) {
    uint64_t *s = rng->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t tsl_rng_below(tsl_rng *rng, uint64_t n) {
    TSL_BUG_ON(n == 0, "a random number below 0 was asked for");
    // With the lowest 2^64 mod n values some remainders would be likelier.
    uint64_t reject = -n % n, x;
    do
        x = tsl_rng_next(rng);
    while (x < reject);
    return x % n;
}
