// A pipe that nobody else uses: the report says what is waited for and where, however many parts were written before.
// teasel: strategies=optimal
// expect: deadlock at=BUG
// expect: message ~ T0 waits for something to read from pipe, socket or eventfd 1 of T0$
#include <unistd.h>

int main(void) {
    int ends[2];
    char byte;
    if (pipe(ends))
        return 1;
    return read(ends[0], &byte, 1) != 1; // BUG
}
