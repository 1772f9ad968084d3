// The program leaves itself no address space, which the runtime needs, too: the limit is not applied, and that is said.
//
// teasel: strategies=random runs=1 determinism=no
// expect: clean
// expect: reason ~ uncontrolled
// expect: note ~ limits the size of its files, its memory or its processor time
#include <stdlib.h>
#include <sys/resource.h>

int main(void) {
    struct rlimit little = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_AS, &little);
    for (int i = 0; i < 1000; i++)
        if (!malloc(100000))
            return 1;
    return 0;
}
