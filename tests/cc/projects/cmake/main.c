#include <pthread.h>
#include <stdio.h>

#include "counter.h"

static void *work(void *arg) {
    counter_add(2);
    counter_add(3);
    *(int *)arg = *counter_mine();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int seen[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &seen[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("total %d, own %d and %d\n", counter_get(), seen[0], seen[1]);
    return counter_get() == 10 && seen[0] == 5 && seen[1] == 5 && *counter_mine() == 0 ? 0 : 1;
}
