// Prints what it is given, and leaves some of it unread, changed or open: the next run sees
// nothing of that.
// teasel: strategies=random,optimal flags="--stdin=8,--argv=-@3,--file=some/data=5,--env=WORD=4,--fail-on-exit" native=no runs=50
// expect: complete on=optimal
// expect: paths on=optimal count=1
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print(const char *name, const char *bytes, int n) {
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %02x", (unsigned char)bytes[i]);
    putchar('\n');
}

int main(int argc, char **argv) {
    char head[3], rest[16], data[16];
    static int runs;
    int file = open("some/data", O_RDONLY);
    if (++runs != 1 || argc != 2 || read(0, head, 3) != 3)
        return 1;
    int left = (int)fread(rest, 1, sizeof rest, stdin);
    int n = (int)read(file, data, sizeof data);
    print("head", head, 3);
    print("rest", rest, left);
    print("data", data, n);
    print("argument", argv[1] + 1, 3);
    print("variable", getenv("WORD"), 4);
    if (left != 5 || n != 5 || argv[1][0] != '-')
        return 1;
    memset(argv[1], 'x', 4);
    memset(getenv("WORD"), 'x', 4);
    lseek(file, 1, SEEK_SET);
    lseek(0, 2, SEEK_SET);
    return 0;
}
