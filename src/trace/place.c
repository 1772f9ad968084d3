// What an address is; see place.h.
#include "trace/place.h"

#include <stddef.h>

#include "abi/layout.h"
#include "abi/libc.h"
#include "abi/wire.h"

#define CHANNEL_STRIDE (TSL_CHANNELS_OF_THREAD * TSL_CHANNEL_SIZE)

static bool within(uint64_t addr, uint64_t start, uint64_t size) {
    return addr >= start && addr - start < size;
}

tsl_place tsl_place_of(uint64_t addr) {
    if (within(addr, TSL_HEAP_ADDR, TSL_HEAP_SIZE))
        return (tsl_place){TSL_PLACE_HEAP, (uint16_t)((addr - TSL_HEAP_ADDR) / TSL_HEAP_STRIDE)};
    if (within(addr, TSL_STACK_ADDR, TSL_MAX_THREADS * TSL_STACK_STRIDE))
        return (tsl_place){TSL_PLACE_STACK, (uint16_t)((addr - TSL_STACK_ADDR) / TSL_STACK_STRIDE)};
    if (within(addr, TSL_FIBERS_ADDR, TSL_MAX_THREADS * TSL_FIBER_STRIDE))
        return (tsl_place){TSL_PLACE_THREAD,
                           (uint16_t)((addr - TSL_FIBERS_ADDR) / TSL_FIBER_STRIDE)};
    if (within(addr, TSL_CHANNEL_ADDR, TSL_MAX_THREADS * CHANNEL_STRIDE))
        return (tsl_place){TSL_PLACE_CHANNEL,
                           (uint16_t)((addr - TSL_CHANNEL_ADDR) / CHANNEL_STRIDE)};
    bool own = within(addr, TSL_HOT_ADDR, TSL_HOT_SIZE) ||
               within(addr, TSL_ARENA_ADDR, TSL_ARENA_SIZE) ||
               within(addr, TSL_SYMBOL_ADDR, TSL_SYMBOL_SIZE) ||
               within(addr, TSL_COVER_ADDR, 2 * TSL_COVER_SIZE) ||
               within(addr, TSL_SNAPSHOT_ADDR, TSL_SNAPSHOT_SIZE) ||
               within(addr, TSL_WIRE_ADDR, TSL_HEAP_ADDR - TSL_WIRE_ADDR);
    return (tsl_place){own ? TSL_PLACE_RUNTIME : TSL_PLACE_OTHER, 0};
}

unsigned tsl_place_channel(uint64_t addr) {
    return (unsigned)((addr - TSL_CHANNEL_ADDR) % CHANNEL_STRIDE / TSL_CHANNEL_SIZE) + 1;
}

const char *tsl_place_state(uint64_t addr) {
    enum { CONVERSIONS = 16 }; // what each kind remembers lies behind the states
    static const char *const texts[TSL_STATES] = {
        NULL,
#define TSL_STATE(name, safe, text) text,
#include "abi/states.def"
#undef TSL_STATE
    };
    uint64_t state = addr / 16 - TSL_OBJECT_STATE;
    if (addr / 16 < TSL_OBJECT_STATE || state >= TSL_STATES + CONVERSIONS)
        return NULL;
    return texts[state < TSL_STATES ? state : TSL_STATE_CONVERSION];
}

bool tsl_place_signal(uint64_t addr, int *thread, unsigned *signal) {
    if (!within(addr, TSL_SIGNAL_ADDR, TSL_SIGNAL_SIZE))
        return false;
    *thread = (int)((addr - TSL_SIGNAL_ADDR) / TSL_SIGNAL_STRIDE) - 1;
    *signal = (unsigned)((addr - TSL_SIGNAL_ADDR) % TSL_SIGNAL_STRIDE);
    return true;
}
