// Random numbers that are the same in every run of a Plan.
//
// rand and random have one hidden state, shared by all threads.  Each call is a step, so the
// schedule decides which thread gets which number.
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "../sync/objects.h"
#include "../sys.h"
#include "random.h"

static void step(void) {
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        tslrt_op(TSL_EV_RANDOM, &RUN->libc.random.state);
}

static uint32_t drawn(void) {
    uint64_t x = RUN->libc.random.state += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (uint32_t)(x >> 32);
}

uint32_t tslrt_random_number(void) {
    step();
    return drawn();
}

// After a call of initstate, the numbers are libc's, and their state is in memory of the program.
static bool has_memory(void) { return RUN->libc.random.memory != NULL; }

// libc guards the state, but not against accesses of the program.
static void told_memory(void) { tslrt_may_touch(RUN->libc.random.memory, RUN->libc.random.size); }

static long drawn_there(void) {
    int32_t number = 0;
    step();
    random_r(&RUN->libc.random.data, &number);
    told_memory();
    return number;
}

API int rand(void) {
    return has_memory() ? (int)drawn_there() : (int)(tslrt_random_number() & 0x7fffffffu);
}

API void srand(unsigned seed) {
    step();
    if (!has_memory()) {
        RUN->libc.random.state = seed;
        return;
    }
    srandom_r(seed, &RUN->libc.random.data);
    told_memory();
}

// What setstate and the first initstate return: the address of the initial state.
static int32_t first_memory[32];

// The first word of a state tells its kind, one of five in libc.
static void use_memory(char *memory, const struct random_data *data) {
    enum { KINDS = 5 };
    static const uint16_t sizes[KINDS] = {8, 32, 64, 128, 256};
    int32_t word;
    memcpy(&word, memory, sizeof word);
    RUN->libc.random.data = *data;
    RUN->libc.random.memory = memory;
    RUN->libc.random.size = sizes[(uint32_t)word % KINDS];
}

API char *initstate(unsigned seed, char *memory, size_t size) {
    char *old = RUN->libc.random.memory ? RUN->libc.random.memory : (char *)first_memory;
    struct random_data data = RUN->libc.random.data;
    uint32_t site = TSL_HOT->call_site;
    step();
    if (!RUN->libc.random.memory)
        memset(&data, 0, sizeof data);
    if (initstate_r(seed, memory, size, &data) != 0)
        return NULL;
    use_memory(memory, &data);
    tslrt_call_writes(memory, size, site);
    return old;
}

API char *setstate(char *memory) {
    char *old = RUN->libc.random.memory ? RUN->libc.random.memory : (char *)first_memory;
    struct random_data data = RUN->libc.random.data;
    step();
    if (memory == (char *)first_memory) {
        RUN->libc.random.memory = NULL;
        return old;
    }
    if (!RUN->libc.random.memory) {
        memset(&data, 0, sizeof data);
        initstate_r(1, (char *)first_memory, sizeof first_memory, &data);
    } else
        tslrt_may_touch(old, sizeof(int32_t));
    if (setstate_r(memory, &data) != 0)
        return NULL;
    use_memory(memory, &data);
    told_memory();
    return old;
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
    if (n > 256)
        return tslrt_fail(EIO);
    fill(to, n);
    return 0;
}

API uint32_t arc4random(void) { return tslrt_random_number(); }

API void arc4random_buf(void *to, size_t n) { fill(to, n); }

API uint32_t arc4random_uniform(uint32_t below) {
    return below ? tslrt_random_number() % below : 0;
}
