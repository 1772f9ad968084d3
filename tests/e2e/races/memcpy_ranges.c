// Ranges of memcpy that overlap in part race; those that only touch do not.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: race at=BUG ~ `wide
// expect: races count=1
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char wide[64], narrow[64];
static const char from[64] = "a text of some length";

static size_t length(size_t n) { return n; } // not known to the compiler

static void *low(void *arg) {
    size_t n = length((size_t)(arg ? 33 : 0));
    memcpy(wide, from, n); // BUG
    memcpy(narrow, from, n - 1);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, low, wide);
    size_t n = length(32);
    memcpy(wide + 32, from, n); // BUG
    memcpy(narrow + 32, from, n);
    pthread_join(a, NULL);
    return 0;
}
