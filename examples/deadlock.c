// Deadlock: two locks in two orders.
//
//     teasel test examples/deadlock.c
//
// Each transfer locks the account it takes from, then the one it gives to.  Two transfers
// in opposite directions can each hold one lock and wait for the other.  The report says
// which thread holds and waits for which lock, and names the cycle.
//
// Cure: always lock the account with the smaller number first.
//
// teasel: strategies=random,dfs runs=5000
// expect: deadlock at=BUG
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock); // BUG
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *to_bob(void *arg) {
    transfer(&alice, &bob, 10);
    return arg;
}

static void *to_alice(void *arg) {
    transfer(&bob, &alice, 20);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, to_bob, NULL);
    pthread_create(&b, NULL, to_alice, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
