// Initialised once, read by everybody behind it.
// teasel: strategies=optimal,dfs,random runs=3000
// expect: clean
// expect: complete on=optimal
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void init(void) { value = 4; }

static void *use(void *arg) {
    pthread_once(&once, init);
    assert(value == 4);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, use, NULL);
    use(NULL);
    pthread_join(a, NULL);
    return 0;
}
