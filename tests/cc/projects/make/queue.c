#include "queue.h"

void queue_init(queue *q) {
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->filled, NULL);
    q->head = q->tail = 0;
}

void queue_put(queue *q, int item) {
    pthread_mutex_lock(&q->lock);
    q->items[q->tail++ % 16] = item;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
}

int queue_get(queue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->head == q->tail)
        pthread_cond_wait(&q->filled, &q->lock);
    int item = q->items[q->head++ % 16];
    pthread_mutex_unlock(&q->lock);
    return item;
}
