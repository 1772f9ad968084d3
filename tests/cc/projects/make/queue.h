#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>

typedef struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    int items[16], head, tail;
} queue;

void queue_init(queue *q);
void queue_put(queue *q, int item);
int queue_get(queue *q);
#endif
