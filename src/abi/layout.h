// Where things lie in the program under test.
//
// All memory of the runtime has a fixed address, for three reasons: fast paths reach it without
// loading a pointer, an object has the same address in every run and every process, and the
// in-place restart can tell the runtime's memory from the program's.  The tool and the runtime
// switch address randomisation off, and then nothing of Linux's usual layout lies here: PIE
// programs start at 0x5555'5555'4000 or 0xaaaa'aaaa'0000, others below 0x1000'0000, libraries and
// the stack near the top.
//
// A thread number selects a slice of each area, so the addresses that a thread gets depend only on
// its place in the creation tree and its own history.
#ifndef TSL_ABI_LAYOUT_H
#define TSL_ABI_LAYOUT_H

#define TSL_HOT_ADDR 0x60000000ul // hot words of the fast paths, dirty map
#define TSL_HOT_SIZE 0x10000ul

#define TSL_ARENA_ADDR 0x61000000ul // cold state of the runtime
#define TSL_ARENA_SIZE 0x10000000ul
// Control blocks of threads, by number: what a pthread_t points to.
#define TSL_FIBERS_ADDR (TSL_ARENA_ADDR + 0x400000ul)
#define TSL_FIBER_STRIDE 1024ul

// Only names: pending signals of the process and of each thread (rt/sync/signals.c).
#define TSL_SIGNAL_ADDR (TSL_ARENA_ADDR + 0xfd00000ul)
#define TSL_SIGNAL_STRIDE 72ul // signal 0 of the process stands for all masks
#define TSL_SIGNAL_SIZE 0x100000ul
// Coverage: a byte per counter, shared with the tool; then as many for code that does not count
// (not registered yet, or loaded while the program runs).
#define TSL_COVER_ADDR 0x71000000ul // right behind the arena
#define TSL_COVER_SIZE 0x4000000ul

#define TSL_SYMBOL_ADDR 0x7a000000ul // labels of memory, and the index of expressions
#define TSL_SYMBOL_SIZE 0x08000000ul

#define TSL_CHANNEL_ADDR 0x003000000000ul // only names: pipes and socket pairs
#define TSL_CHANNEL_SIZE 16ul             // of one name
#define TSL_CHANNELS_OF_THREAD 4096ul     // names for channels that one thread makes

#define TSL_STACK_ADDR 0x010000000000ul // one stride per thread, stack at its top
#define TSL_STACK_STRIDE 0x4000000ul    // 64 MiB
#define TSL_STACK_SIZE 0x800000ul       // 8 MiB unless the program asks for more

#define TSL_SNAPSHOT_ADDR 0x018000000000ul // saved pages
#define TSL_SNAPSHOT_SIZE 0x003000000000ul

#define TSL_LEAK_ADDR 0x01b000000000ul // scratch of the leak check

#define TSL_WIRE_ADDR 0x01c000000000ul // the shared file

#define TSL_HEAP_ADDR 0x100000000000ul // one stride per thread
#define TSL_HEAP_STRIDE 0x100000000ul  // 4 GiB
#define TSL_HEAP_SIZE 0x200000000000ul

// One shadow byte per eight heap bytes, at address/8.
//   1..8  that many leading bytes may be accessed
//   0     never allocated
//   < 0   TSL_SHADOW_*
#define TSL_SHADOW_SHIFT 3
#define TSL_SHADOW_REDZONE (-1)
#define TSL_SHADOW_FREED (-2)

// Which pages were written, hashed by page number: the restart finds new ones here.
#define TSL_DIRTY_ADDR (TSL_HOT_ADDR + 0x1000ul)
#define TSL_DIRTY_SIZE 4096ul

// One byte per 64 bytes of memory, hashed: 0 if nothing in these or in the 15 bytes behind them
// depends on inputs.  An access looks at the byte of its first address.
#define TSL_LABELLED_ADDR TSL_SYMBOL_ADDR
#define TSL_LABELLED_SIZE 0x100000ul
#define TSL_LABELLED_SHIFT 6

#endif
