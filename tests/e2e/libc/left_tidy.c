// teasel: strategies=optimal,source runs=1000
// expect: clean
// expect: complete
//
// What a run makes and removes again is nothing that another run finds.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static void *make(void *arg) {
    struct sockaddr_un address = {AF_UNIX, "socket"};
    char name[] = "tidyXXXXXX";
    assert(mkdir("made", 0700) == 0 && access("made", W_OK) == 0 && mkdir("made", 0700) != 0);
    assert(symlink("made", "link") == 0 && access("link", W_OK) == 0 && unlink("link") == 0 &&
           rmdir("made") == 0);
    assert(bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address) == 0);
    assert(access("socket", F_OK) == 0 && unlink("socket") == 0);
    assert(mkdtemp(name) && access(name, W_OK) == 0 && rmdir(name) == 0);
    assert(open("file", O_CREAT | O_EXCL | O_RDWR, 0600) >= 0 && access("file", F_OK) == 0);
    assert(open("file", O_CREAT | O_EXCL | O_RDWR, 0600) < 0 && unlink("file") == 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    assert(access("/tmp", W_OK) == 0);
    pthread_create(&thread, NULL, make, NULL);
    pthread_join(thread, NULL);
    return 0;
}
