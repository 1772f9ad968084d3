// poll, select and epoll over socket pairs and event descriptors.
// teasel: strategies=random runs=500
// expect: clean
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int pair[2], event;

static void *polls(void *arg) {
    struct pollfd fds[2] = {{.fd = pair[0], .events = POLLIN}, {.fd = -1}};
    char c;
    assert(poll(fds, 2, -1) == 1 && fds[0].revents == POLLIN);
    assert(recv(pair[0], &c, 1, 0) == 1 && c == 'a');
    return arg;
}

static void *waits_event(void *arg) {
    struct epoll_event e = {.events = EPOLLIN, .data.fd = event}, got;
    uint64_t value;
    int ep = epoll_create1(0);
    assert(epoll_ctl(ep, EPOLL_CTL_ADD, event, &e) == 0);
    assert(epoll_wait(ep, &got, 1, -1) == 1 && got.data.fd == event);
    assert(read(event, &value, sizeof value) == sizeof value && value == 7);
    close(ep);
    return arg;
}

int main(void) {
    pthread_t a, b;
    uint64_t seven = 7;
    struct timeval tv = {0, 1000};
    fd_set set;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert((event = eventfd(0, 0)) >= 0);
    FD_ZERO(&set);
    FD_SET(pair[0], &set);
    assert(select(pair[0] + 1, &set, NULL, NULL, &tv) == 0); // nothing comes: it times out
    assert(poll(NULL, 0, 5) == 0);
    pthread_create(&a, NULL, polls, NULL);
    pthread_create(&b, NULL, waits_event, NULL);
    assert(send(pair[1], "a", 1, 0) == 1);
    assert(write(event, &seven, sizeof seven) == sizeof seven);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
