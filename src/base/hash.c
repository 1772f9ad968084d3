// 64-bit hashes of bytes; the only file that knows xxHash.
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t tsl_hash(const void *bytes, size_t len) { return XXH3_64bits(bytes, len); }

uint64_t tsl_hash_more(uint64_t hash, const void *bytes, size_t len) {
    return XXH3_64bits_withSeed(bytes, len, hash);
}

uint64_t tsl_hash_u64(uint64_t hash, uint64_t x) { return tsl_hash_more(hash, &x, sizeof x); }
