// Objects of System V that a run makes are gone in the next one, also if the run failed before it could remove them.
// teasel: strategies=random runs=40 native=no determinism=no flags=--keep-going
// expect: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEY = 0x7ea5e1, MAKE = IPC_CREAT | IPC_EXCL | 0600 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void *thread(void *arg) {
    pthread_mutex_lock(&mutex);
    first = first ? first : arg ? 2 : 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    if (semget(KEY, 1, MAKE) < 0 || msgget(KEY, MAKE) < 0 || shmget(KEY, 4096, MAKE) < 0 ||
        syscall(SYS_semget, KEY + 1, 2, MAKE) < 0 || semget(IPC_PRIVATE, 3, MAKE) < 0)
        abort(); // something was left
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first == 1);
    return 0;
}
