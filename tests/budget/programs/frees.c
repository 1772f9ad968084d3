// Long: blocks that are taken and given back, large and small, by two threads.
#include <pthread.h>
#include <stdlib.h>

static void *churn(void *unused) {
    for (int i = 0; i < 20000; i++) {
        char *p = malloc((size_t)(i % 7 == 0 ? 100000 : 40));
        p[i % 40] = 1;
        free(p);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, churn, 0);
    churn(0);
    pthread_join(t, 0);
}
