// The raw system call exit ends its thread, without cleanup handlers and destructors.
// teasel: strategies=portfolio,optimal,source flags=--fail-on-exit
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int destroyed, cleaned;
static pthread_key_t key;

static void destroy(void *value) {
    (void)value;
    destroyed++;
}

static void clean(void *arg) {
    (void)arg;
    cleaned++;
}

static void *work(void *arg) {
    pthread_setspecific(key, arg);
    pthread_cleanup_push(clean, NULL);
    syscall(SYS_exit, 5);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, NULL, work, &a);
    pthread_create(&b, NULL, work, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(destroyed == 0 && cleaned == 0);
    syscall(SYS_exit, 0);
    return 7;
}
