// Copies: two steps, a read and a write of what the first one has read.
//
// Between the two, other threads may run and change what was read.  So the bytes are saved before,
// if another thread can run there.  A copy of more than MOST bytes is a single step.
#include <string.h>

#include "abi/hooks.h"
#include "access.h"
#include "libc/follow.h"
#include "symbol/labels.h"

enum { MOST = 4096 };

static void put(void *to, const void *from, uint64_t n, uint64_t room) {
    tslrt_symbols_copy(to, from, n);
    tslrt_symbols_fill((char *)to + n, 0, room - n);
    memmove(to, from, n);
    memset((char *)to + n, 0, room - n);
}

// Stacks must be all zero when a run begins, and the restart does not know that this part was used.
static void __attribute__((noinline)) forget(char *taken, uint64_t n) {
    tslrt_symbols_fill(taken, 0, n);
    memset(taken, 0, n);
    __asm__ volatile("" : : "r"(taken) : "memory");
}

static void __attribute__((noinline))
put_later(unsigned kind, void *to, const void *from, uint64_t n, uint64_t room, uint32_t site) {
    char taken[MOST];
    put(taken, from, n, n);
    tslrt_range_turn();
    tslrt_range_end(kind, to, room, site);
    put(to, taken, n, room);
    forget(taken, n);
}

// Returns false if no other thread could run between the steps: then nothing is copied yet.
static bool write_step(unsigned kind, void *to, const void *from, uint64_t n, uint64_t room,
                       uint32_t site) {
    if (n > MOST)
        __teasel_also(to, site, kind, room);
    else if (tslrt_range_asks(kind, to, site)) {
        put_later(kind, to, from, n, room, site);
        return true;
    } else
        tslrt_range_end(kind, to, room, site);
    return false;
}

void tslrt_store(void *to, const void *from, uint64_t n, uint64_t room, uint32_t site) {
    if (room && !write_step(TSL_EV_WRITE, to, from, n, room, site))
        put(to, from, n, room);
}

const void *__teasel_copy(void *to, const void *from, uint32_t site, uint32_t kind, uint64_t size) {
    if (!size)
        return from;
    tslrt_range_begin(kind, from, site);
    tslrt_range_end(kind, from, size, site);
    unsigned writes = kind == TSL_EV_VREAD ? TSL_EV_VWRITE : TSL_EV_WRITE;
    return write_step(writes, to, from, size, size, site) ? to : from;
}
