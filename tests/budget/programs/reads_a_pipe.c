// Endless: reads from a pipe into which nobody writes.
#include <unistd.h>

int main(void) {
    int ends[2];
    char c;
    if (pipe(ends) == 0)
        return (int)read(ends[0], &c, 1);
}
