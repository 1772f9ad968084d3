// A pipe that a child of the program writes to is waited for as long as the child lives, though no thread
// can run meanwhile.
// teasel: strategies=optimal,random runs=2 determinism=no
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg) {
    char c = 0;
    assert(read(ends[0], &c, 1) == 1 && c == 'k');
    return arg;
}

int main(void) {
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        execlp("sh", "sh", "-c", "sleep 1.5; printf k", (char *)NULL);
        _exit(1);
    }
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_join(t, NULL);
    assert(waitpid(child, NULL, 0) == child);
    return 0;
}
