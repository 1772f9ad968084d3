// The thread-local variables of libc and other libraries; see area.c.  All functions but the first
// are only for programs with areas (tslrt->area.used).
#ifndef TSLRT_AREA_H
#define TSLRT_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;

typedef struct tslrt_area { // area.c
    bool used;              // threads have areas of their own; all else is 0 if not
    uintptr_t pointer;      // the thread pointer of the process, and of main
    uintptr_t from, to;     // what lies around it and is copied
    uintptr_t low, high;    // with the gap, in whole lines of the cache
    size_t room;            // bytes above each stack: all that, and the vector
    uint32_t nvector;       // entries of a fiber's vector
    uint32_t nlocal;        // libraries that have thread-local variables
    uint64_t nlibraries;    // loaded before main
    bool quick;             // the thread pointer can be set without the kernel
} tslrt_area;

void tslrt_area_find(void);                          // once, before main
void tslrt_area_keep(const tslrt_fiber *main_fiber); // when its stack is mapped
void tslrt_area_begin(tslrt_fiber *fiber);           // a thread is created
void tslrt_area_start(void);                         // a thread takes its first step
void tslrt_area_ask_kernel(uintptr_t pointer);
int tslrt_errno_of(const tslrt_fiber *fiber); // of the running thread

#endif
