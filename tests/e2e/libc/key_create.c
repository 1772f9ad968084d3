// pthread_key_create stores the key: two threads that both create it race, and one key is lost.
// teasel: strategies=optimal,dfs runs=40000 flags=--keep-going
// expect: race at=BUG_CREATES
// expect: race at=BUG_CREATES,BUG_FOUND
// expect: race at=BUG_CREATES,BUG_LOOKS
// expect: assertion at=BUG_FOUND
// expect: complete on=optimal
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *creates(void *arg) {
    pthread_key_create(&key, NULL); // BUG_CREATES
    pthread_key_t first = key;      // BUG_LOOKS
    pthread_setspecific(first, arg);
    assert(pthread_getspecific(key) == arg); // BUG_FOUND
    return NULL;
}

int main(void) {
    static int one, two;
    pthread_t a, b;
    pthread_create(&a, NULL, creates, &one);
    pthread_create(&b, NULL, creates, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
