// Inputs in memory that has two addresses, or is a file, are followed at one of them; what is sent and comes back is a plain number.
// teasel: strategies=paths,optimal native=no
// expect: reason ~ concretised
// expect: note ~ inputs in memory that is mapped at two addresses are followed at one of them
// expect: note ~ what depends on inputs was written to a file, pipe or socket, and may be read back as it is
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "teasel.h"

int main(void) {
    int ends[2], x, y;
    TEASEL_INPUT(x);
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    send(ends[1], &x, sizeof x, 0);
    recv(ends[0], &y, sizeof y, 0);
    int file = memfd_create("shared", 0);
    ftruncate(file, 4096);
    int *one = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    int *two = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    *one = x;
    return *two == 4711 || y == 4711;
}
