// daemon() is no crash: the program goes on, and is tested.
// teasel: strategies=portfolio,optimal native=no
// expect: assertion at=BUG
// expect: race at=13
// expect: note ~ goes on in the same process
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int x;

static void *work(void *arg) {
    x++;
    return arg;
}

int main(void) {
    pthread_t a, b;
    if (daemon(1, 0))
        return 1;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2); // BUG
    return 0;
}
