// A semaphore is copied as plain memory while another thread may post it: what the copy says depends on the order, and
// the strategies that leave out orders do not claim to have tried both.
// teasel: strategies=optimal,source flags=--keep-going native=no
// expect: verdict ~ but for what is not controlled
// expect: note ~ reads bytes of the object as plain memory at object_read.c
#include <pthread.h>
#include <semaphore.h>

static struct {
    int before;
    sem_t s;
} queue, copy;

static void *post(void *arg) {
    sem_post(&queue.s);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&queue.s, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    copy = queue;
    return pthread_join(thread, NULL);
}
