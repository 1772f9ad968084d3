// Two threads, one critical section each.
// model: T0 = +1 +2 a =1 b =2 x
// model: T1 = L x x U
// model: T2 = L x x U
// teasel: strategies=dfs runs=100000
// expect: complete
// expect: executions dfs=12283
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *arg) {
    pthread_mutex_lock(&lock);
    counter = counter + 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 2 ? 0 : 1;
}
