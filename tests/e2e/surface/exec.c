// exec is not controlled: the census says so.
// teasel: strategies=random runs=10
// expect: clean
// expect: note ~ exec
#include <unistd.h>

int main(void) {
    execl("/bin/true", "true", (char *)NULL);
    return 1;
}
