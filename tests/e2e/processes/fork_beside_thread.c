// What the child of a fork does leaves no trace in its parent's: every interleaving is there.
// teasel: strategies=optimal,dfs runs=1000
// expect: clean
// expect: verdict ~ complete, but
// expect: executions optimal=1 dfs=10
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int done;

static void *work(void *arg) {
    done = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
