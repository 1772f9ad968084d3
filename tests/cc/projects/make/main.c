#include <stdio.h>

#include "queue.h"

static queue q;

static void *produce(void *arg) {
    for (int i = 1; i <= 4; i++)
        queue_put(&q, i);
    return arg;
}

int main(void) {
    pthread_t t;
    int sum = 0;
    queue_init(&q);
    pthread_create(&t, NULL, produce, NULL);
    for (int i = 0; i < 4; i++)
        sum += queue_get(&q);
    pthread_join(t, NULL);
    printf("sum %d\n", sum);
    return sum == 10 ? 0 : 1;
}
