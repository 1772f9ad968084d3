// Greedy: opens files until there are no descriptors left, and goes on.
#include <fcntl.h>

int main(void) {
    for (;;)
        open("/dev/null", O_RDONLY);
}
