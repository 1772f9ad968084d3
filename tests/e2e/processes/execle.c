// execle passes on the environment behind its list of arguments.
// teasel: strategies=random runs=3
// expect: clean
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    char *const environment[] = {"GREETING=hello", NULL};
    pid_t pid = fork();
    if (pid == 0) {
        execle("/bin/sh", "sh", "-c", "test \"$GREETING\" = hello", (char *)NULL, environment);
        _exit(2);
    }
    int status;
    waitpid(pid, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
