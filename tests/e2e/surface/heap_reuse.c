// Once a thread has allocated 256 MiB in a run, freed blocks are given out again: the same size again and again,
// aligned blocks, an array that grows bit by bit. So a program that frees what it allocates never runs out of
// memory, and each of these loops stays within a few blocks.
// teasel: strategies=random runs=1 determinism=no
// expect: clean
// expect: note ~ may go unseen
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

enum { BLOCK = 40000, TIMES = 200 };

static void *(*volatile allocate)(size_t) = malloc; // compilers leave out what is not used

static uintptr_t lowest, highest;

static void within(void *p, size_t size) {
    assert(p);
    lowest = (uintptr_t)p < lowest ? (uintptr_t)p : lowest;
    highest = (uintptr_t)p + size > highest ? (uintptr_t)p + size : highest;
    assert(highest - lowest < 10 * 2 * BLOCK);
}

static void same_size(size_t size) {
    for (int i = 0; i < TIMES; i++) {
        char *p = allocate(size);
        within(p, size);
        p[0] = p[size - 1] = 1;
        free(p);
    }
}

static void aligned(void) {
    for (int i = 0; i < TIMES; i++) {
        char *p = aligned_alloc(4096, BLOCK);
        within(p, BLOCK);
        assert((uintptr_t)p % 4096 == 0);
        free(p);
    }
}

static void growing(void) {
    char *p = NULL;
    for (size_t size = BLOCK; size < BLOCK + 8 * TIMES; size += 8) {
        p = realloc(p, size);
        within(p, size);
        p[size - 8] = 7;
    }
    assert(p[BLOCK - 8] == 7 && p[BLOCK + 800] == 7);
    free(p);
}

int main(void) {
    void *most = allocate(300ul << 20);
    lowest = UINTPTR_MAX;
    same_size(BLOCK);
    same_size(1);
    aligned();
    growing();
    free(most);
    return 0;
}
