// Assembly whose accesses nobody can tell is a step that depends on all others: both orders are seen.
// teasel: strategies=optimal,source,dfs runs=2000 flags=--keep-going emulated=no
// expect: assertion at=BUG_BEFORE
// expect: assertion at=BUG_BEHIND
#include <assert.h>
#include <pthread.h>

static unsigned char x;

static void *store(void *arg) {
    __asm__ volatile("push %%rdi; mov %0, %%rdi; cld; mov $1, %%al; stosb; pop %%rdi" ::"r"(&x)
                     : "memory", "rax");
    return arg;
}

int main(int argc, char **argv) {
    pthread_t thread;
    pthread_create(&thread, NULL, store, NULL);
    int seen = x;
    pthread_join(thread, NULL);
    (void)argv;
    if (argc > 5)
        return 1;
    if (seen)
        assert(!seen); // BUG_BEHIND
    assert(seen);      // BUG_BEFORE
    return 0;
}
