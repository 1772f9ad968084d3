// SV-COMP's atomic sections: increments in them are not lost.
// teasel: strategies=optimal native=no
// expect: complete
#include <pthread.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int count;

static void *add(void *arg) {
    __VERIFIER_atomic_begin();
    count++;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    TEASEL_ASSERT(count == 2);
    return 0;
}
