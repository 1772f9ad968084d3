// Through a file, by characters.
// teasel: strategies=paths,optimal native=no
// expect: clean
// expect: verdict ~ ^incomplete$
// expect: reason ~ concretised
#include <stdio.h>

#include "read_back.h"

static int write_and_read(int value) {
    FILE *file = tmpfile();
    fputc(value & 255, file);
    rewind(file);
    int back = fgetc(file);
    fclose(file);
    return back == 57 ? 12345 : 0;
}
