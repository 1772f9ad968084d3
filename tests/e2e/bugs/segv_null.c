// A null pointer is read when one thread comes before the other.
// teasel: strategies=random,dfs runs=2000 flags=--keep-going
// expect: crash at=BUG
// expect: message ~ SIGSEGV
// expect: race ~ `config`
#include <pthread.h>
#include <stddef.h>

struct config {
    int size;
};
static struct config the_config = {4};
static struct config *config;

static void *init(void *arg) {
    config = &the_config;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, init, NULL);
    int size = config->size; // BUG
    pthread_join(thread, NULL);
    return size == 4 ? 0 : 1;
}
