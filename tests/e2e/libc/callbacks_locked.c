// Behind a lock nobody changes what lsearch looks at between two comparisons.
// teasel: strategies=optimal,dfs runs=100000 cflags=-D_GNU_SOURCE
// expect: clean
// expect: complete
#include <pthread.h>
#include <search.h>

static char table[8] = "ab", key[2] = "c";
static size_t n = 2;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

static void *adds(void *arg) {
    pthread_mutex_lock(&mutex);
    lsearch(key, table, &n, 1, compare);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    adds(NULL);
    pthread_join(thread, NULL);
    return 0;
}
