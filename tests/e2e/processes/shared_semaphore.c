// Parent and child post each other's semaphores in memory that both share: each waits for the other process.
//
// teasel: strategies=random,optimal runs=5 determinism=no
// expect: clean
#include <assert.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    sem_t *both = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    sem_init(&both[0], 1, 0);
    sem_init(&both[1], 1, 0);
    pid_t child = fork();
    if (child == 0) {
        sem_wait(&both[0]);
        sem_post(&both[1]);
        _exit(5);
    }
    sem_post(&both[0]);
    sem_wait(&both[1]);
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    return 0;
}
