// What does it cost to switch to another thread?
//
//     switch      prints nanoseconds per hand-over: fibers in one place, fibers in two places,
//                 futex on one core, futex on any core
//
// Fiber: two stacks call tslrt_switch of the runtime (src/rt/fiber.c) in turn; what the scheduler
// does around it is not measured.  The scheduler calls it from one place for all threads, and so
// does the first measurement: the processor then predicts where the `ret` of the switch goes.  In
// the second measurement the two call it from different places, and the processor pays for one wrong
// prediction.
//
// Futex: two kernel threads each wait, by the system call and without spinning first, for a word
// that the other one sets.  This is measured on one core and on any core; the caller compares with
// the faster of the two.
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Functions of the runtime (src/rt/fiber.h).
void tslrt_switch(void **save_sp, void *load_sp);
void *tslrt_fiber_prepare(uintptr_t stack_high, void (*entry)(void));

// Needed by another part of that object; nothing here maps a stack.
void tslrt_map(uintptr_t addr, size_t size, const char *what);
void tslrt_map(uintptr_t addr, size_t size, const char *what) {
    fprintf(stderr, "switch: asked to map %zu bytes at %#lx for %s\n", size, (unsigned long)addr,
            what);
    abort();
}

enum { CHUNKS = 20, FIBER_ROUNDS = 1000000, FUTEX_ROUNDS = 3000 };

static double now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

// The best of several short measurements: what the machine can do when nothing disturbs it.
static double best(double (*measure)(void)) {
    double least = measure();
    for (int i = 1; i < CHUNKS; i++) {
        double got = measure();
        least = got < least ? got : least;
    }
    return least;
}

// ---------------------------------------------------------------- fibers

static void *sp[2];
static unsigned left[2]; // number of switches that each side still makes
static alignas(64) char stack[65536];

// Both sides call the switch from here.
static __attribute__((noinline)) void take_turns(unsigned me) {
    while (left[me]--)
        tslrt_switch(&sp[me], sp[1 - me]);
}

static void other_side(void) {
    take_turns(1);
    abort(); // the first side makes the last switch and does not come back here
}

static double same_place(void) {
    sp[1] = tslrt_fiber_prepare((uintptr_t)(stack + sizeof stack), other_side);
    left[0] = FIBER_ROUNDS;
    left[1] = UINT_MAX;
    double begun = now();
    take_turns(0);
    return (now() - begun) / (2.0 * FIBER_ROUNDS);
}

static void bounce(void) {
    for (;;)
        tslrt_switch(&sp[1], sp[0]);
}

static double two_places(void) {
    sp[1] = tslrt_fiber_prepare((uintptr_t)(stack + sizeof stack), bounce);
    double begun = now();
    for (int i = 0; i < FIBER_ROUNDS; i++)
        tslrt_switch(&sp[0], sp[1]);
    return (now() - begun) / (2.0 * FIBER_ROUNDS);
}

// ---------------------------------------------------------------- kernel threads

static uint32_t turn; // the thread whose turn it is: 0 or 1

static void wait_until(uint32_t mine) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != mine)
        syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, 1 - mine, NULL, NULL, 0);
}

static void hand_to(uint32_t other) {
    __atomic_store_n(&turn, other, __ATOMIC_RELEASE);
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void *second(void *arg) {
    for (int i = 0; i < FUTEX_ROUNDS; i++) {
        wait_until(1);
        hand_to(0);
    }
    return arg;
}

static double kernel_threads(void) {
    pthread_t other;
    turn = 0;
    if (pthread_create(&other, NULL, second, NULL))
        exit(1);
    double begun = now();
    for (int i = 0; i < FUTEX_ROUNDS; i++) {
        wait_until(0);
        hand_to(1);
    }
    wait_until(0);
    double spent = now() - begun;
    pthread_join(other, NULL);
    return spent / (2.0 * FUTEX_ROUNDS);
}

static void keep_on_one_core(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
}

int main(void) {
    double same = best(same_place), two = best(two_places), any = best(kernel_threads);
    keep_on_one_core();
    printf("%.3f %.3f %.1f %.1f\n", same, two, best(kernel_threads), any);
    return 0;
}
