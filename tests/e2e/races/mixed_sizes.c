// Accesses of different sizes race where their bytes overlap.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: race at=BUG
// expect: races count=1
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static union {
    uint64_t all;
    uint32_t half[2];
    uint8_t byte[8];
} u;

static void *bytes(void *arg) {
    u.byte[5] = 1; // BUG
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, bytes, NULL);
    u.half[1] = 2; // BUG
    u.half[0] = 3;
    pthread_join(a, NULL);
    return 0;
}
