// Random numbers that are the same in every run of a Plan.
//
// rand and random have one hidden state, shared by all threads: a step each, so
// that who comes first is part of the schedule.
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "../extern.h"
#include "../sync/objects.h"
#include "random.h"

static void step(void) {
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        tslrt_op(TSL_EV_RANDOM, &RUN->random_state);
}

static uint32_t drawn(void) {
    uint64_t x = RUN->random_state += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (uint32_t)(x >> 32);
}

uint32_t tslrt_random_number(void) {
    step();
    return drawn();
}

API int rand(void) { return (int)(tslrt_random_number() & 0x7fffffffu); }

API void srand(unsigned seed) {
    step();
    RUN->random_state = seed;
}

API long random(void) { return rand(); }

API void srandom(unsigned seed) { srand(seed); }

static void fill(void *to, size_t n) {
    uint32_t site = TSL_HOT->call_site;
    step();
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)to)[i] = (unsigned char)drawn();
    tslrt_call_writes(to, n, site);
}

API ssize_t getrandom(void *to, size_t n, unsigned flags) {
    (void)flags;
    fill(to, n);
    return (ssize_t)n;
}

API int getentropy(void *to, size_t n) {
    if (n > 256) {
        errno = EIO;
        return -1;
    }
    fill(to, n);
    return 0;
}

API uint32_t arc4random(void) { return tslrt_random_number(); }

API void arc4random_buf(void *to, size_t n) { fill(to, n); }

API uint32_t arc4random_uniform(uint32_t below) {
    return below ? tslrt_random_number() % below : 0;
}
