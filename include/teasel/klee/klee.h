// The names of KLEE, for programs written for that tool.
#ifndef TEASEL_KLEE_H
#define TEASEL_KLEE_H

#include <stddef.h>
#include <stdint.h>
#include <teasel.h>

void klee_make_symbolic(void *p, size_t size, const char *name);
int klee_int(const char *name);
void klee_assume(uintptr_t condition);

// A number from `begin` up to, but not including, `end`.
static inline int klee_range(int begin, int end, const char *name) {
    int x = klee_int(name);
    TEASEL_ASSUME(x >= begin && x < end);
    return x;
}

#define klee_assert(condition) TEASEL_ASSERT(condition)
#define klee_prefer_cex(object, condition) ((void)(condition))

#endif
