// Every thread has its own errno.
// teasel: strategies=optimal,dfs,random runs=1000
// expect: clean
// expect: complete on=optimal,dfs
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static void *use(void *arg) {
    errno = arg ? EPERM : ENOENT;
    pthread_testcancel();
    assert(errno == (arg ? EPERM : ENOENT));
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, use, &a);
    use(NULL);
    pthread_join(a, NULL);
    return 0;
}
