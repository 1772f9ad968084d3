// fork is not controlled: it works, and the census says so.
// teasel: strategies=random runs=20
// expect: clean
// expect: note ~ fork
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status = 0;
    pid_t child = fork();
    assert(child >= 0);
    if (child == 0)
        _exit(7);
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    return 0;
}
