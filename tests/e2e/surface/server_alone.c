// A server that nobody asks for anything is not deadlocked: the run does not count.
// teasel: strategies=random runs=1 native=no determinism=no
// expect: clean
// expect: verdict ~ incomplete
#include <netinet/in.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>

static void *worker(void *arg) {
    pthread_mutex_t *mutex = arg;
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    struct sockaddr_in any = {.sin_family = AF_INET};
    struct epoll_event event = {.events = EPOLLIN};
    int s = socket(AF_INET, SOCK_STREAM, 0), e = epoll_create1(0);
    if (s < 0 || bind(s, (struct sockaddr *)&any, sizeof any) != 0 || listen(s, 5) != 0)
        return 0;
    pthread_create(&thread, NULL, worker, &mutex);
    epoll_ctl(e, EPOLL_CTL_ADD, s, &event);
    epoll_wait(e, &event, 1, -1);
    return accept(s, NULL, NULL) < 0;
}
