// A child that waits for ever ends by the signal that its parent sends, and by nothing else.
//
// teasel: strategies=random runs=5 determinism=no
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    int status = 0, ends[2];
    char byte;
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
        _exit(1);
    }
    close(ends[1]);
    for (volatile int i = 0; i < 3000000; i++) // until the child waits
        ;
    kill(child, SIGTERM);
    assert(waitpid(child, &status, 0) == child);
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert(read(ends[0], &byte, 1) == 0);
    return 0;
}
