// Through a pair of sockets, in parts.
// teasel: strategies=paths,optimal native=no
// expect: clean
// expect: verdict ~ ^incomplete$
// expect: reason ~ concretised
#include <sys/socket.h>
#include <sys/uio.h>

#include "read_back.h"

static int write_and_read(int value) {
    int ends[2], back = 0;
    struct iovec part = {&value, sizeof value};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 0;
    writev(ends[1], &part, 1);
    return recv(ends[0], &back, sizeof back, 0) == sizeof back ? back : 0;
}
