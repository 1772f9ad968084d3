// Mutexes, spin locks and semaphores in memory that two processes share exclude each other, also when both threads
// have the same number; what a thread held when it forked it still holds in the child.
// teasel: strategies=random,optimal runs=5 determinism=no
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 3000 };

static struct shared {
    pthread_mutex_t mutex, first;
    pthread_spinlock_t spin;
    sem_t sem;
    int locked, spun, waited;
} * s;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;

static void set_up(void) {
    pthread_mutexattr_t attr;
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&s->mutex, &attr);
    pthread_mutex_init(&s->first, &attr);
    pthread_spin_init(&s->spin, PTHREAD_PROCESS_SHARED);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&s->sem, 1, 1);
}

static void both(void) {
    for (int i = 0; i < TIMES; i++) {
        pthread_mutex_lock(&s->mutex);
        s->locked++;
        pthread_mutex_unlock(&s->mutex);
        pthread_spin_lock(&s->spin);
        s->spun++;
        pthread_spin_unlock(&s->spin);
        sem_wait(&s->sem);
        s->waited++;
        sem_post(&s->sem);
    }
}

int main(void) {
    int status;
    set_up();
    pthread_mutex_lock(&s->first);
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    pthread_spin_lock(&spin);
    pid_t child = fork();
    pthread_spin_unlock(&spin);
    pthread_rwlock_unlock(&rwlock);
    pthread_mutex_unlock(&mutex);
    if (child == 0) {
        pthread_mutex_lock(&s->first); // which the parent has not given back yet
        both();
        _exit(7);
    }
    usleep(1000);
    pthread_mutex_unlock(&s->first);
    both();
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert(s->locked == 2 * TIMES && s->spun == 2 * TIMES && s->waited == 2 * TIMES);
    return 0;
}
