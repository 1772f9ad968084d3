// Nobody connects: no name of the runtime's own is in the report.
// teasel: strategies=optimal
// expect: deadlock at=BUG
// expect: message ~ T0 waits for a descriptor to be ready$
#include <sys/socket.h>
#include <sys/un.h>

int main(void) {
    struct sockaddr_un any = {.sun_family = AF_UNIX};
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(s, (struct sockaddr *)&any, sizeof any.sun_family);
    listen(s, 5);
    return accept(s, NULL, NULL) < 0; // BUG
}
