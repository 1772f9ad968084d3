// 64-bit hashes of bytes: XXH3, the same on every machine.
#ifndef TSL_BASE_HASH_H
#define TSL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t tsl_hash(const void *bytes, size_t len);

// Continues an earlier hash, so that several pieces become one number.
uint64_t tsl_hash_more(uint64_t hash, const void *bytes, size_t len);
uint64_t tsl_hash_u64(uint64_t hash, uint64_t x);

// A cheap hash of two numbers: one wide multiplication, its halves folded together.
static inline uint64_t tsl_hash_mix(uint64_t a, uint64_t b) {
    unsigned __int128 product =
        (unsigned __int128)(a ^ 0x9e3779b97f4a7c15ull) * (b ^ 0xe7037ed1a0b428dbull);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Spreads a number, which may be an address or a small counter, over all bits.
static inline uint64_t tsl_hash_spread(uint64_t x) {
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

#endif
