// Through a file, as text.
// teasel: strategies=paths,optimal native=no
// expect: clean
// expect: verdict ~ ^incomplete$
// expect: reason ~ concretised
#include <stdio.h>

#include "read_back.h"

static int write_and_read(int value) {
    int back = 0;
    FILE *file = tmpfile();
    fprintf(file, "%d\n", value);
    rewind(file);
    int got = fscanf(file, "%d", &back);
    fclose(file);
    return got == 1 ? back : 0;
}
