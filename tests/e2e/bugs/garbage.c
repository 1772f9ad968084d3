// The program writes garbage wherever it can reach: some run must end as a bug, and the tool lives.
// teasel: strategies=random runs=20 flags=--keep-going timeout=120 determinism=no emulated=no
// expect: crash
// expect: replay none
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Without stdio, which is among the first things to be overwritten.
static char maps[1 << 16];

int main(void) {
    int fd = open("/proc/self/maps", O_RDONLY);
    long n = 0, got;
    while ((got = read(fd, maps + n, sizeof maps - 1 - (unsigned long)n)) > 0)
        n += got;
    for (char *line = maps; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : 0) {
        unsigned long from = 0, to = 0;
        char mode[5];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3 || mode[1] != 'w')
            continue;
        if (from <= (unsigned long)maps && (unsigned long)maps < to)
            continue;
        if (from <= (unsigned long)&line && (unsigned long)&line < to)
            continue;
        for (unsigned long p = from; p < to && p < from + (64ul << 20); p += 8)
            *(volatile uint64_t *)p = 0x4141414141414141;
    }
    *(volatile int *)0 = 1;
    return 0;
}
