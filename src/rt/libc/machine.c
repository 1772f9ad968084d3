// What instructions ask of the machine, with the same answer in every run; see cc/machine.h.
//
// Time is the thread's virtual time, random numbers are rand's, and the thread pointer is what
// pthread_self returns.  Of what cpuid tells, only the number of the core is left out.
#include <pthread.h>
#include <string.h>

#include "../census.h"
#include "../start.h"
#include "random.h"
#include "time.h"

enum { TICKS_PER_NS = 2 };

static void put(unsigned at, uint64_t value) { memcpy(&TSL_HOT->machine[at], &value, 8); }

// Leaf 1 has the number of the core in its second word, leaves 11 and 31 in their last.
static void name_processor(uint32_t leaf, uint32_t part) {
    uint32_t *out = &TSL_HOT->machine[TSL_MACHINE_CPUID_AT];
#if defined(__x86_64__)
    __asm__ volatile("cpuid"
                     : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3])
                     : "0"(leaf), "2"(part));
    if (leaf == 1)
        out[1] &= 0x00ffffffu;
    if (leaf == 0xb || leaf == 0x1f)
        out[3] = 0;
#else
    (void)leaf;
    (void)part;
    memset(out, 0, 4 * sizeof *out);
#endif
}

static void say_what_is_left(uint32_t what) {
    if (what & TSL_MACHINE_UNKNOWN)
        tslrt_weaken(TSL_REASON_OUTSIDE,
                     "inline assembly asks which processor this is (cpuid): it may be another one "
                     "in the next run");
    if (what & TSL_MACHINE_SEGMENT)
        tslrt_weaken(TSL_REASON_OUTSIDE, "the program reads through the segment register: to the "
                                         "system all threads are one");
    if (what & TSL_MACHINE_KERNEL)
        tslrt_weaken(TSL_REASON_OUTSIDE,
                     "inline assembly makes a system call, which is not controlled");
    if (what & TSL_MACHINE_CORE)
        tslrt_weaken(TSL_REASON_OUTSIDE, "inline assembly asks the machine for something that may "
                                         "be something else in every run");
}

// Reads from the thread pointer on.  It points to itself at two places; the rest is that of the
// only thread that the kernel knows.
static uint64_t read_slot(uint64_t at) {
    uint64_t value = (uint64_t)pthread_self();
#if defined(__x86_64__)
    if (at != 0 && at != 16) {
        say_what_is_left(TSL_MACHINE_SEGMENT);
        __asm__ volatile("movq %%fs:(%1), %0" : "=r"(value) : "r"(at));
    }
#else
    (void)at;
#endif
    return value;
}

__attribute__((visibility("default"))) uint64_t __teasel_machine(uint32_t what, uint32_t site,
                                                                 uint64_t a, uint64_t b) {
    uint64_t value = 0;
    tslrt_init();
    TSL_HOT->call_site = site;
    TSL_HOT->effect_at = TSL_HOT->cursor;
    if (what & TSL_MACHINE_RANDOM) {
        value = (uint64_t)tslrt_random_number() << 32;
        TSL_HOT->call_site = site;
        put(TSL_MACHINE_RANDOM_AT, value |= tslrt_random_number());
    }
    if (what & TSL_MACHINE_TIME)
        put(TSL_MACHINE_TIME_AT, value = TICKS_PER_NS * tslrt_clock_look());
    if (what & TSL_MACHINE_CPUID)
        name_processor((uint32_t)a, (uint32_t)b);
    if (what & TSL_MACHINE_THREAD)
        put(TSL_MACHINE_THREAD_AT, value = (uint64_t)pthread_self());
    if (what & TSL_MACHINE_SLOT)
        value = read_slot(a);
    say_what_is_left(what);
    return value;
}
