// The in-place restart: memory as it was before main.
#ifndef TSLRT_RESTART_H
#define TSLRT_RESTART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Of the process.
typedef struct tslrt_memory {
    bool late_page;          // the restart missed a page
    bool moved_from_outside; // memory may change though no thread takes a step
    char *leak_scratch;      // of the leak check
} tslrt_memory;

void tslrt_snapshot(void);
void tslrt_restore(void);
// Visits the memory in which pointers to blocks of the heap may be.
void tslrt_roots(void (*visit)(uintptr_t low, uintptr_t high, void *data), void *data);
bool tslrt_has_mapped(uintptr_t a); // for itself, for stacks or for the heap
// See tslrt_wrote in quick.h.
void tslrt_wrote_pages(const void *p, size_t n);

#endif
