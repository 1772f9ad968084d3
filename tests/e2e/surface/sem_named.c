// Named semaphores: open, create, exclusive, close, unlink; one name is one semaphore.
// teasel: strategies=random,dfs runs=300
// expect: clean
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

#define NAME "/teasel-e2e-named"

static void *poster(void *arg) {
    sem_t *sem = sem_open(NAME, 0);
    assert(sem != SEM_FAILED);
    assert(sem == (sem_t *)arg); // the same address within a process
    assert(sem_post(sem) == 0);
    assert(sem_close(sem) == 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_t *sem, *other;
    int value = -1;

    sem_unlink(NAME); // whatever a broken run left behind
    errno = 0;
    assert(sem_open(NAME, 0) == SEM_FAILED && errno == ENOENT);
    sem = sem_open(NAME, O_CREAT | O_EXCL, 0600, 1);
    assert(sem != SEM_FAILED);
    errno = 0;
    assert(sem_open(NAME, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    other = sem_open(NAME, O_CREAT, 0600, 7); // exists: the value is ignored
    assert(other == sem);
    assert(sem_getvalue(sem, &value) == 0 && value == 1);
    assert(sem_close(other) == 0);
    assert(sem_trywait(sem) == 0);

    pthread_create(&thread, NULL, poster, sem);
    assert(sem_wait(sem) == 0);
    pthread_join(thread, NULL);

    assert(sem_unlink(NAME) == 0);
    errno = 0;
    assert(sem_unlink(NAME) == -1 && errno == ENOENT);
    errno = 0;
    assert(sem_open(NAME, 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_post(sem) == 0); // still there for those who have it
    assert(sem_wait(sem) == 0);
    assert(sem_close(sem) == 0);
    return 0;
}
