// Fibers: a thread of the program is a stack and a saved stack pointer.
//
//     switch(save, load)   push callee-saved registers, *save = sp, sp = load, pop
//
// What libc keeps for a thread, such as errno, is switched, too (area.c); so is the floating-point
// environment, in programs that call functions that change it (sched.c).
//
// A thread's number depends on its place in the creation tree, not on when it was
// created: children of main are 1, 2, ...; deeper ones are hashed from parent and
// index into the upper half.  Stacks, heap slices and pthread_t follow from the
// number, so an object has one name in every interleaving.
#include <string.h>
#include <sys/mman.h>

#include "await.h"
#include "fiber.h"
#include "start.h"
#include "state.h"
#include "sys.h"

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl tslrt_switch\n"
        ".hidden tslrt_switch\n"
        ".type tslrt_switch,@function\n"
        "tslrt_switch:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size tslrt_switch,.-tslrt_switch\n");

void *tslrt_fiber_prepare(uintptr_t stack_high, void (*entry)(void)) {
    uint64_t *sp = (uint64_t *)(stack_high - 64); // debuggers look past the last frame
    *--sp = 0;                                    // where entry would return to
    *--sp = (uint64_t)entry; // popped by ret: entry sees sp = 16n+8 as after a call
    sp -= 6;                 // rbp (0 ends the chain) and the other registers
    memset(sp, 0, 6 * sizeof *sp);
    return sp;
}
#else
__asm__(".text\n"
        ".globl tslrt_switch\n"
        ".hidden tslrt_switch\n"
        ".type tslrt_switch,%function\n"
        "tslrt_switch:\n"
        "  stp x29, x30, [sp, #-160]!\n"
        "  stp x19, x20, [sp, #16]\n"
        "  stp x21, x22, [sp, #32]\n"
        "  stp x23, x24, [sp, #48]\n"
        "  stp x25, x26, [sp, #64]\n"
        "  stp x27, x28, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldp x19, x20, [sp, #16]\n"
        "  ldp x21, x22, [sp, #32]\n"
        "  ldp x23, x24, [sp, #48]\n"
        "  ldp x25, x26, [sp, #64]\n"
        "  ldp x27, x28, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  ldp x29, x30, [sp], #160\n"
        "  ret\n"
        ".size tslrt_switch,.-tslrt_switch\n");

void *tslrt_fiber_prepare(uintptr_t stack_high, void (*entry)(void)) {
    uint64_t *sp = (uint64_t *)(stack_high - 64) - 22; // 160 bytes of registers, 16 of chain end
    memset(sp, 0, 22 * sizeof *sp);
    sp[1] = (uint64_t)entry; // x30
    return sp;
}
#endif

// The number that child `index` of `parent` gets, unless it is taken.
static unsigned first_number(unsigned parent, unsigned index) {
    const unsigned half = TSL_MAX_THREADS / 2;
    if (parent == 0 && index < half)
        return index;
    uint32_t h = (parent * 0x9e3779b1u) ^ (index * 0x85ebca6bu);
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 13;
    return half + h % half;
}

static tslrt_fiber *take_number(unsigned parent, unsigned index) {
    unsigned id = first_number(parent, index);
    // Two places in the tree may have the same hash.  Then numbers depend on the order of creation,
    // which costs reduction but not correctness.
    for (unsigned tries = 0; tries < TSL_MAX_THREADS / 2; tries++) {
        tslrt_fiber *fiber = tslrt_fiber_at(id);
        if (fiber->state == FIBER_UNUSED)
            return fiber->id = (uint16_t)id, fiber;
        if (id < TSL_MAX_THREADS / 2)
            return NULL;
        id = id + 1 == TSL_MAX_THREADS ? TSL_MAX_THREADS / 2 : id + 1;
    }
    return NULL;
}

// Stacks lie a power of two apart, so their tops would compete for a few places in every cache and
// TLB.  So each stack starts some pages and lines lower than its neighbour.
enum { COLOURS = 64, COLOUR = 4096 + 3 * 64 };

// Maps the stack of a thread the first time its number is used in this process.
void tslrt_fiber_stack(tslrt_fiber *fiber, size_t want) {
    if (want < TSL_STACK_SIZE)
        want = TSL_STACK_SIZE; // frames of instrumented code are larger than the program expects
    if (want > TSL_STACK_STRIDE / 2)
        want = TSL_STACK_STRIDE / 2;
    want = (want + COLOURS * COLOUR + tslrt->area.room + 0xffff) & ~(size_t)0xffff;
    uintptr_t top = TSL_STACK_ADDR + (fiber->id + 1ul) * TSL_STACK_STRIDE;
    uintptr_t mapped = fiber->stack.high ? fiber->stack.low : top;
    if (top - want >= mapped)
        return;
    tslrt_map(top - want, mapped - (top - want), "a thread's stack");
    fiber->stack.low = top - want;
    fiber->stack.high = top - fiber->id % COLOURS * (uintptr_t)COLOUR - tslrt->area.room;
    fiber->context.low_mark = fiber->stack.high;
}

tslrt_fiber *tslrt_fiber_new(void *(*start)(void *), void *arg) {
    tslrt_fiber *self = SELF;
    unsigned index = self ? self->tree.children + 1u : 0;
    if (RUN->count.fibers >= TSL_MAX_THREADS / 2)
        return NULL;
    tslrt_fiber *fiber = take_number(self ? self->id : 0, index);
    if (!fiber)
        return NULL;
    if (self)
        self->tree.children++;
    fiber->tree.parent = self ? self->id : 0;
    fiber->tree.index = (uint16_t)index;
    fiber->state = FIBER_LIVE;
    fiber->thread.start = start;
    fiber->thread.arg = arg;
    fiber->place.enabled = -1;
    fiber->clock_ns = self ? self->clock_ns : tslrt->fresh.main.clock_ns;
    memset(tslrt_loops_of(fiber->id), 0, TSL_LOOPS * sizeof(tsl_loop));
    if (tslrt->uses.swaps_floating)
        fegetenv(&fiber->context.floating); // as its creator has them
    fiber->thread.policy = self ? self->thread.policy : 0;
    fiber->thread.priority = self ? self->thread.priority : 0;
    fiber->signal.mask = self ? self->signal.mask : tslrt->fresh.main.signal.mask;
    fiber->pend.kind = TSL_EV_START;
    fiber->pend.object = fiber;
    fiber->place.created = RUN->count.fibers++;
    tslrt->threads.fibers[fiber->place.created] = fiber->id;
    tslrt->threads.parked_at[fiber->place.created] = NULL; // START never waits
    RUN->count.live++;
    RUN->count.unjoined++;
    return fiber;
}

enum { CHUNK = 128, PAGE = 4096 };

static bool is_zero(uintptr_t from, size_t size) {
    return memcmp((const void *)from, (const void *)TSLRT_ZERO_AT, size) == 0;
}

// Stacks are all zero when a run starts, so that uninitialised bytes are the same in every run.
// Hooks and switches tell roughly how deep a run went.  The stack below is searched for a stretch
// that is clean: every call leaves a return address, and hooks announce frames of 1 KiB or more.
// Code that is not instrumented may leave larger gaps, so after that the search is longer.
static void clean_stack(tslrt_fiber *fiber) {
    uintptr_t low = fiber->context.low_mark & ~(uintptr_t)(CHUNK - 1);
    unsigned gap = 0, allowed = TSL_HOT->opaque ? 8 : 1;
    size_t stretch = TSL_HOT->opaque ? PAGE : 1024 + CHUNK;
    for (uintptr_t at = low; at - stretch >= fiber->stack.low && gap < allowed;) {
        at -= stretch;
        if (is_zero(at, stretch))
            gap++;
        else
            gap = 0, low = at;
    }
    uintptr_t used = fiber->stack.high - low;
    if (used > 0x40000) { // after a deep recursion, gives the memory back
        uintptr_t from = low & ~(uintptr_t)(PAGE - 1),
                  to = fiber->stack.high & ~(uintptr_t)(PAGE - 1);
        tslrt_sys3(SYS_madvise, from, to - from, MADV_DONTNEED);
        memset((void *)to, 0, fiber->stack.high - to);
    } else
        memset((void *)low, 0, used);
}

void tslrt_fiber_clean(tslrt_fiber *fiber) {
    uintptr_t low = fiber->stack.low, high = fiber->stack.high;
    if (high)
        clean_stack(fiber);
    if (fiber->own.keys)
        memset(fiber->own.keys, 0, TSLRT_MAX_KEYS * sizeof(void *));
    uintptr_t tls = TSL_STACK_ADDR + fiber->id * TSL_STACK_STRIDE, tls_end = fiber->own.tls_end;
    if (fiber->own.tls_top)
        memset((void *)tls, 0, fiber->own.tls_top - tls);
    memset(fiber, 0,
           offsetof(tslrt_fiber, locks.held)); // entries from `locks.n` on have no meaning
    fiber->stack.low = low;
    fiber->stack.high = high;
    fiber->context.low_mark = high;
    fiber->own.tls_end = tls_end;
}
