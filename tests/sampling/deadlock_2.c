// Two transfers between two accounts, each locking its source first.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: deadlock at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static struct {
    pthread_mutex_t lock;
    int balance;
} account[2] = {{PTHREAD_MUTEX_INITIALIZER, 50}, {PTHREAD_MUTEX_INITIALIZER, 50}};

static void *transfer(void *arg) {
    int from = (int)(intptr_t)arg, to = 1 - from;
#ifdef CORRECT
    int first = 0, second = 1;
#else
    int first = from, second = to;
#endif
    pthread_mutex_lock(&account[first].lock);
    pthread_mutex_lock(&account[second].lock); // BUG
    account[from].balance -= 10;
    account[to].balance += 10;
    pthread_mutex_unlock(&account[second].lock);
    pthread_mutex_unlock(&account[first].lock);
    return arg;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, transfer, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL); // BUG
    assert(account[0].balance == 50 && account[1].balance == 50);
    return 0;
}
