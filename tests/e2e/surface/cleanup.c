// pthread_cleanup_push and pop: last in, first out; by pop(1), by exit, by cancel.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static char order[8];
static sem_t ready, never;

static void note(void *arg) { strcat(order, arg); }

static void *by_pop(void *arg) {
    pthread_cleanup_push(note, "a");
    pthread_cleanup_push(note, "b");
    pthread_cleanup_push(note, "c");
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return arg;
}

static void *by_exit(void *arg) {
    pthread_cleanup_push(note, "a");
    pthread_cleanup_push(note, "b");
    pthread_exit(arg);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *by_cancel(void *arg) {
    pthread_cleanup_push(note, "a");
    pthread_cleanup_push(note, "b");
    sem_post(&ready);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return arg;
}

static void expect(const char *what) {
    assert(strcmp(order, what) == 0);
    order[0] = 0;
}

int main(void) {
    pthread_t thread;
    void *value;
    sem_init(&ready, 0, 0);
    sem_init(&never, 0, 0);

    pthread_create(&thread, NULL, by_pop, NULL);
    pthread_join(thread, NULL);
    expect("ca");

    pthread_create(&thread, NULL, by_exit, order);
    pthread_join(thread, &value);
    assert(value == order);
    expect("ba");

    pthread_create(&thread, NULL, by_cancel, NULL);
    sem_wait(&ready);
    pthread_cancel(thread);
    pthread_join(thread, &value);
    assert(value == PTHREAD_CANCELED);
    expect("ba");
    return 0;
}
