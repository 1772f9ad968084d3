// The program notices by itself and says so with its exit status.
// teasel: strategies=random,dfs runs=2000 flags=--fail-on-exit
// expect: exit
// expect: race ~ `counter`
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    counter++;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 2 ? 0 : 3;
}
