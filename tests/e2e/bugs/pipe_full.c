// A pipe that nobody else uses: the report says what is waited for and where, however many parts were written before.
// teasel: strategies=optimal
// expect: deadlock at=BUG
// expect: message ~ T0 waits for room to write to pipe, socket or eventfd 1 of T0$
#include <unistd.h>

int main(void) {
    static char bytes[1 << 20];
    int ends[2];
    if (pipe(ends))
        return 1;
    return write(ends[1], bytes, sizeof bytes) < 0; // BUG
}
