// Check and use in two critical sections.
// teasel: strategies=random,dfs runs=5000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static int get(void) {
    pthread_mutex_lock(&lock);
    int b = balance;
    pthread_mutex_unlock(&lock);
    return b;
}

static void *withdraw(void *arg) {
    if (get() >= 10) {
        pthread_mutex_lock(&lock);
        balance -= 10;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, withdraw, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance >= 0); // BUG
    return 0;
}
