// The same bytes through open and read, again through another descriptor, through freopen, and
// mapped.  Each character is decided once, however often it is looked at.
// teasel: strategies=optimal,dfs flags=--file=data.bin=3,--solver-check,--keep-going,--fail-on-exit native=no
// expect: assertion at=BUG
// expect: complete
// expect: paths count=4
// expect: mispredicted count=0
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int is_word(const char *s) { return s[0] == 'E' && s[1] == 'L' && s[2] == 'F'; }

int main(void) {
    char a[4], b[4], c[4];
    int first = open("data.bin", O_RDONLY), second = open("data.bin", O_RDONLY);
    if (first < 0 || second < 0 || write(first, "x", 1) >= 0)
        return 1;
    if (read(first, a, 4) != 3 || read(second, b, 1) != 1 || read(second, b + 1, 3) != 2)
        return 1;
    if (!freopen("data.bin", "r", stdin) || fread(c, 1, 3, stdin) != 3)
        return 1;
    const char *d = mmap(NULL, 3, PROT_READ, MAP_PRIVATE, first, 0);
    if (d == MAP_FAILED || d[3] != 0 || open("other.bin", O_RDONLY) >= 0)
        return 1;
    if (is_word(a) != is_word(b) || is_word(b) != is_word(c) || is_word(c) != is_word(d))
        return 1;
    if (is_word(d))
        assert(!"ELF"); // BUG
    return 0;
}
