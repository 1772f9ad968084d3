// Two threads start a process each with fork and wait for it: the parent stays whole.
//
// teasel: strategies=random runs=20 determinism=no
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef FORK
#define FORK fork
#endif

extern char **environ;
static int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *starts(void *arg) {
    char *argv[] = {"true", NULL};
    int status = 0;
    pid_t pid = -1;
    pid = FORK();
    if (pid == 0) {
        execvp("true", argv);
        _exit(127);
    }
    assert(pid > 0 && waitpid(pid, &status, 0) == pid);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pthread_mutex_lock(&mutex);
    done++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, starts, NULL);
    pthread_create(&b, NULL, starts, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(done == 2);
    return 0;
}
