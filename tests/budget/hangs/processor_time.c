// does not: at its limit of processor time
#include <sys/resource.h>

int main(void) {
    struct rlimit limit = {100, 100};
    setrlimit(RLIMIT_CPU, &limit);
    for (;;)
        ;
}
