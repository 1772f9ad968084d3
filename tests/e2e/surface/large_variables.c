// Large variables that hardly anything touches cost nothing, and are zero again in every run: written by the program, by libc, and
// by the kernel.
// teasel: strategies=random runs=60
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char large[1ul << 28];

static void *writes(void *unused) {
    large[1ul << 27] = 1;
    return unused;
}

int main(void) {
    int ends[2];
    pthread_t t;
    for (size_t at = 0; at < sizeof large; at += 1ul << 24)
        assert(large[at] == 0 && large[at + 5000] == 0 && large[at + 9000] == 0);
    pthread_create(&t, NULL, writes, NULL);
    memset(large + (1ul << 24), 7, 4096 * 3);
    sprintf(large + (1ul << 25) + 5000, "%d", 12345);
    pthread_join(t, NULL);
    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1 &&
           read(ends[0], large + (3ul << 24) + 9000, 1) == 1);
    return 0;
}
