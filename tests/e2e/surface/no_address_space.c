// The program leaves itself no address space, and the runtime can't grow the heap: no fault of the program's.
//
// teasel: strategies=random runs=1 determinism=no
// expect: reason ~ runtime-error
// expect: note ~ can.t map
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
