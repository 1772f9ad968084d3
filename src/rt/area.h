// The thread-local variables of libc and other libraries; see area.c.  All functions but the first
// are only for programs with areas (tslrt->area.used).
#ifndef TSLRT_AREA_H
#define TSLRT_AREA_H

#include "rt.h"

void tslrt_area_find(void);                          // once, before main
void tslrt_area_keep(const tslrt_fiber *main_fiber); // when its stack is mapped
void tslrt_area_begin(tslrt_fiber *fiber);           // a thread is created
void tslrt_area_start(void);                         // a thread takes its first step
void tslrt_area_ask_kernel(uintptr_t pointer);

static inline void tslrt_area_enter(uintptr_t pointer) {
#if defined(__x86_64__)
    if (__builtin_expect(tslrt->area.quick, 1))
        __asm__ volatile("wrfsbase %0" ::"r"(pointer) : "memory");
    else
        tslrt_area_ask_kernel(pointer);
#else
    __asm__ volatile("msr tpidr_el0, %0" ::"r"(pointer) : "memory");
#endif
}

// `fiber` is the running thread.
static inline int tslrt_errno_of(const tslrt_fiber *fiber) {
    if (!tslrt->area.used)
        return *tslrt->errno_at;
    return *(const int *)(fiber->area + ((uintptr_t)tslrt->errno_at - tslrt->area.pointer));
}

#endif
