// read, in pieces, through a duplicate, and with readv; pread looks back.
// teasel: strategies=optimal flags=--stdin=8,--solver-check,--keep-going native=no
// expect: assertion at=BUG
// expect: complete
// expect: paths count=5
// expect: mispredicted count=0
#include <assert.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    char a[2], b[3], c[2], again;
    struct iovec parts[2] = {{b, 3}, {c, 2}};
    if (read(0, a, 2) != 2)
        return 0;
    int copy = dup(0);
    if (readv(copy, parts, 2) != 5 || pread(0, &again, 1, 1) != 1)
        return 1;
    if (a[0] != 'a')
        return 0;
    if (b[2] != a[0] + 1)
        return 0;
    if (c[1] != 'c')
        return 0;
    if (again != a[1])
        return 1; // can't be
    char last[2];
    if (read(0, last, 2) != 1)
        return 1;
    if (last[0] == 'd')
        assert(!"all of it"); // BUG
    return 0;
}
