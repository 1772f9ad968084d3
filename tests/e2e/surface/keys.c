// pthread_key_create, key_delete, getspecific, setspecific; destructors, and destructors that set again.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>

static pthread_key_t plain, counted, stubborn;
static _Atomic int destroyed;
static int again;

static void count(void *value) { destroyed += (int)(intptr_t)value; }

static void set_again(void *value) {
    again++;
    assert(pthread_getspecific(stubborn) == NULL); // already taken out
    pthread_setspecific(stubborn, value);
}

static void *worker(void *arg) {
    assert(pthread_getspecific(plain) == NULL);
    assert(pthread_getspecific(counted) == NULL);
    assert(pthread_setspecific(plain, arg) == 0);
    assert(pthread_setspecific(counted, arg) == 0);
    assert(pthread_getspecific(plain) == arg);
    assert(pthread_getspecific(counted) == arg);
    if ((intptr_t)arg == 1) {
        pthread_setspecific(stubborn, arg);
        pthread_exit(NULL);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    assert(pthread_key_create(&plain, NULL) == 0);
    assert(pthread_key_create(&counted, count) == 0);
    assert(pthread_key_create(&stubborn, set_again) == 0);
    assert(plain != counted && counted != stubborn);
    assert(pthread_setspecific(plain, &a) == 0);

    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)10);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(destroyed == 11);
    assert(again == PTHREAD_DESTRUCTOR_ITERATIONS);
    assert(pthread_getspecific(plain) == &a);

    assert(pthread_key_delete(plain) == 0);
    assert(pthread_key_delete(plain) == EINVAL);
    assert(pthread_setspecific(plain, &a) == EINVAL);
    assert(pthread_getspecific(plain) == NULL);

    // A new key has no value, whatever an old one of that number had.
    assert(pthread_key_create(&plain, NULL) == 0);
    assert(pthread_getspecific(plain) == NULL);
    return 0;
}
