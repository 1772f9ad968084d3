// A weak compare-and-swap of 16 bytes does not fail for no reason, also with --spurious: that is said.
// teasel: strategies=optimal runs=3000 flags=--spurious native=no cflags=-mcx16 emulated=no
// expect: clean
// expect: verdict ~ complete, but
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic __int128 wide = 1;

static void *nothing(void *arg) { return arg; }

int main(void) {
    pthread_t a;
    __int128 expected = 1;
    pthread_create(&a, NULL, nothing, NULL);
    assert(atomic_compare_exchange_weak(&wide, &expected, 2));
    assert(wide == 2);
    pthread_join(a, NULL);
    return 0;
}
