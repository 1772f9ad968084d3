// Calls that may wait, on descriptors that are not open: each fails at once.
// teasel: strategies=random,optimal runs=50
// expect: clean
#include <assert.h>
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
static void *other(void *a) { return a; }
int main(void) {
    char b[4];
    struct iovec v = {b, 4};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
    unsigned p;
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    assert(read(-1, b, 4) == -1 && errno == EBADF);
    assert(write(-1, b, 4) == -1 && errno == EBADF);
    assert(readv(-1, &v, 1) == -1 && errno == EBADF);
    assert(writev(-1, &v, 1) == -1 && errno == EBADF);
    assert(recv(-1, b, 4, 0) == -1 && errno == EBADF);
    assert(send(-1, b, 4, 0) == -1 && errno == EBADF);
    assert(recvmsg(-1, &m, 0) == -1 && errno == EBADF);
    assert(sendmsg(-1, &m, 0) == -1 && errno == EBADF);
    assert(accept(-1, 0, 0) == -1 && errno == EBADF);
    assert(mq_send(-1, b, 4, 0) == -1 && errno == EBADF);
    assert(mq_receive(-1, b, 4, &p) == -1 && errno == EBADF);
    assert(read(77, b, 4) == -1 && errno == EBADF);
    assert(mq_send(77, b, 4, 0) == -1 && errno == EBADF);
    assert(mq_receive(77, b, 4, &p) == -1 && errno == EBADF);
    pthread_join(t, 0);
    return 0;
}
