// Functions that are looked up by name, in a library and behind the program, are those of the runtime.
//
// teasel: strategies=optimal,dfs
// expect: complete
// expect: executions optimal=2
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *add(void *arg) {
    lock(&m);
    n++;
    unlock(&m);
    return arg;
}

int main(void) {
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*join)(pthread_t, void **);
    pthread_t t;
    void *library = dlopen("libc.so.6", RTLD_LAZY);
    *(void **)&lock = dlsym(library, "pthread_mutex_lock");
    *(void **)&unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    *(void **)&create = dlsym(RTLD_DEFAULT, "pthread_create");
    *(void **)&join = dlvsym(library, "pthread_join", "GLIBC_2.34");
    create(&t, NULL, add, NULL);
    add(NULL);
    join(t, NULL);
    assert(n == 2);
    return 0;
}
