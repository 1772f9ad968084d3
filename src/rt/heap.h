// The heap: blocks, and the shadow that says which bytes may be accessed.
#ifndef TSLRT_HEAP_H
#define TSLRT_HEAP_H

#include "abi/wire.h"
#include "arena.h"

// The slice of one thread.
typedef struct heap_slot {
    uintptr_t bump;           // next free byte of this run
    uintptr_t mapped;         // end of what is mapped
    uintptr_t free_lists[32]; // freed blocks by size class, used once the slice is crowded
    uintptr_t free_tails[32];
} heap_slot;

static inline heap_slot *tslrt_slot(unsigned id) { return (heap_slot *)TSLRT_SLOTS_AT + id; }

static inline bool tslrt_in_heap(uintptr_t a) { return a - TSL_HEAP_ADDR < TSL_HEAP_SIZE; }

void tslrt_heap_reset(void);
bool tslrt_heap_block(uintptr_t a, tsl_block_info *info);
bool tslrt_heap_in_use(uintptr_t a);                 // some thread has carved a block there
bool tslrt_heap_is_live(uintptr_t a, uint64_t size); // every byte may be accessed
// Some of these bytes may not be accessed: fills what the Trace says of the block, and finds the
// first such byte.
unsigned tslrt_heap_error(uintptr_t a, uint64_t size, uintptr_t *bad);
void tslrt_heap_each(void (*visit)(uintptr_t user, uint64_t size, uint32_t site, void *data),
                     void *data);
void tslrt_leak_check(void); // blocks that the program can't reach any more: leak.c
// See tslrt_heap_check in quick.h.
void tslrt_heap_check_block(uintptr_t a, uint64_t size, uint32_t site, unsigned kind,
                            bool own_step);

#endif
