// getrandom and read store into a buffer that another thread looks at.
// teasel: strategies=optimal,dfs runs=5000 flags=--keep-going
// expect: race at=BUG_RANDOM
// expect: race at=BUG_READ
// expect: races count=2
// expect: complete on=optimal,dfs
#include <fcntl.h>
#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

static unsigned char bytes[4], text[4];

static void *fills(void *arg) {
    int fd = *(int *)arg;
    ssize_t got = getrandom(bytes, sizeof bytes, 0); // BUG_RANDOM
    got += read(fd, text, sizeof text);              // BUG_READ
    return got == 12 ? arg : NULL;
}

int main(void) {
    int fd = open("/dev/zero", O_RDONLY);
    pthread_t t;
    pthread_create(&t, NULL, fills, &fd);
    int seen = bytes[3]; // BUG_RANDOM
    seen += text[0];     // BUG_READ
    pthread_join(t, NULL);
    return seen == 1000;
}
