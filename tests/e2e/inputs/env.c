// Variables of the environment are inputs: each run has its own, and what a run makes of them is
// gone in the next.
// teasel: strategies=optimal flags=--env=MODE=4,--env=LEVEL=1,--solver-check,--keep-going,--fail-on-exit native=no
// expect: assertion at=BUG
// expect: note ~ setenv reads memory that depends on inputs
// expect: mispredicted count=0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
    const char *mode = getenv("MODE"), *level = getenv("LEVEL");
    (void)argc;
    (void)argv;
    if (!mode || !level || envp != environ || getenv("ADDED") || !getenv("PATH"))
        return 1;
    if (strcmp(mode, "test") == 0 && level[0] >= '1' && level[0] <= '9') {
        setenv("ADDED", "yes", 1);
        unsetenv("MODE");
        assert(getenv("MODE") || strcmp(getenv("ADDED"), "yes") != 0 || *level != '7'); // BUG
    }
    return 0;
}
