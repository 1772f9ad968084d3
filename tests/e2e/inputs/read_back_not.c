// It goes out to a file, to standard output and to standard error, and nothing is read: the search stays complete.
// teasel: strategies=paths,optimal native=no
// expect: clean
// expect: complete
#include <stdio.h>

#include "read_back.h"

static int write_and_read(int value) {
    FILE *file = fopen("/dev/null", "w");
    fprintf(file, "%d\n", value);
    fclose(file);
    printf("%d\n", value);
    fprintf(stderr, "%d\n", value);
    return value > 5;
}
