// A key is deleted before its destructor runs, or after it: with two keys in this order one or both destructors run.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=100000 flags=--fail-on-exit,--keep-going
// expect: complete
// expect: exit
// expect: bugs count=2
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t first, second;
static sem_t set;
static int calls;

static void destroy(void *value) { calls += *(int *)value; }

static void *work(void *arg) {
    static int one = 1;
    pthread_setspecific(first, &one);
    pthread_setspecific(second, &one);
    sem_post(&set);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&set, 0, 0);
    pthread_key_create(&first, destroy);
    pthread_key_create(&second, destroy);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&set);
    pthread_key_delete(second);
    pthread_join(thread, NULL);
    return calls;
}
