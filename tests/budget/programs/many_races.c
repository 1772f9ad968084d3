// Wide: hundreds of pairs of places that race, in long runs.
#include <pthread.h>

static int x[64];
static volatile int spin;

#define ONE(i) x[i]++;
#define TEN(i) ONE(i) ONE(i + 1) ONE(i + 2) ONE(i + 3) ONE(i + 4) ONE(i + 5) ONE(i + 6) ONE(i + 7)

static void *touch(void *unused) {
    for (int i = 0; i < 300; i++) {
        TEN(0) TEN(8) TEN(16) TEN(24) TEN(32) TEN(40) TEN(48) TEN(56)
    }
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, touch, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
