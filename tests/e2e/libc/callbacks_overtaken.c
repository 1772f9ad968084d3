// Between two comparisons lsearch looks at the number of elements, which another thread may have changed: what nobody
// tells weakens the claim.
// teasel: strategies=optimal,dfs runs=100000 cflags=-D_GNU_SOURCE
// expect: race
// expect: reason ~ uncontrolled
#include <pthread.h>
#include <search.h>

static char table[8] = "ab", key[2] = "c";
static size_t n = 2;

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

static void *adds(void *arg) {
    lsearch(key, table, &n, 1, compare);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    adds(NULL);
    pthread_join(thread, NULL);
    return 0;
}
