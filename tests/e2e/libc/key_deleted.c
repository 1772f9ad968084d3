// A key is deleted before a thread uses it, between its calls, or behind all: what the calls return, and whether the destructor runs, tells.
// teasel: strategies=optimal,source,dfs runs=100000 flags=--fail-on-exit,--keep-going
// expect: complete
// expect: exit
// expect: bugs count=4
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) { destroyed += *(int *)value; }

static void *uses(void *arg) {
    static int one = 1;
    (void)arg;
    long refused = pthread_setspecific(key, &one) != 0;
    return (void *)(refused + 2 * (pthread_getspecific(key) != NULL));
}

int main(void) {
    pthread_t thread;
    void *saw;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, uses, NULL);
    pthread_key_delete(key);
    pthread_join(thread, &saw);
    exit(1 + (int)(long)saw + 4 * destroyed);
}
