// Through a stream in memory.
// teasel: strategies=paths,optimal native=no
// expect: clean
// expect: verdict ~ ^incomplete$
// expect: reason ~ concretised
#include <stdio.h>

#include "read_back.h"

static int write_and_read(int value) {
    char room[32];
    int back = 0;
    FILE *file = fmemopen(room, sizeof room, "w+");
    fwrite(&value, sizeof value, 1, file);
    rewind(file);
    size_t got = fread(&back, sizeof back, 1, file);
    fclose(file);
    return got == 1 ? back : 0;
}
