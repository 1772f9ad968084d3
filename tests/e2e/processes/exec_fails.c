// exec returns if there is nothing to execute, and the program goes on.
// teasel: strategies=optimal runs=100
// expect: assertion at=BUG
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
    int failed = 0;
    failed += execl("/does/not/exist", "x", NULL) == -1 && errno == ENOENT;
    failed += execl("/", "x", NULL) == -1 && errno == EACCES;
    failed += execlp("there-is-no-such-command", "x", NULL) == -1 && errno == ENOENT;
    assert(failed != 3); // BUG
    return 0;
}
