// Through a pipe.
// teasel: strategies=paths,optimal native=no
// expect: clean
// expect: verdict ~ ^incomplete$
// expect: reason ~ concretised
#include <unistd.h>

#include "read_back.h"

static int write_and_read(int value) {
    int ends[2], back = 0;
    if (pipe(ends) != 0)
        return 0;
    write(ends[1], &value, sizeof value);
    return read(ends[0], &back, sizeof back) == sizeof back ? back : 0;
}
