// Bytes next to each other in one word: no race.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: clean
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static struct {
    uint8_t a, b;
    uint16_t c;
    uint32_t d;
} s;

static void *one(void *arg) {
    s.a = 1;
    s.c = s.c + 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, one, NULL);
    s.b = 2;
    s.d = s.d + 1;
    pthread_join(a, NULL);
    return s.a + s.b != 3;
}
