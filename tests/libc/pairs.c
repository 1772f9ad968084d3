// Two threads that use libc at the same time, with and without a lock around it: the rows of pairs.def.
#include <arpa/inet.h>
#include <dirent.h>
#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

#include "teasel.h"

static FILE *f;
static DIR *folder;
static int fd, number, numbers[2];
static char text[4096], more[256], *line, *end;
static size_t room, left;
static unsigned seed;
static struct stat status;
static struct tm day, other_day;
static struct pollfd waited = {.fd = -1};
static fd_set descriptors;
static struct sigaction action;
static sigset_t set;
static struct timespec moment;
static struct timeval span;
static time_t seconds;
static struct tms used;
static struct utsname machine;
static sem_t semaphore;
static pthread_attr_t attr;
static pthread_key_t key;
static iconv_t icd;
static wchar_t wide;
static mbstate_t shift;
static regex_t regex;
static regmatch_t matches[1];
static glob_t globbed;
static wordexp_t words;
static void *root, *queue[2];
static struct addrinfo *found;
static struct iovec part = {text, 2};
static struct { int a[9]; } large, other_large, old_large;
static struct flock record;
static struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

static int compare(const void *a, const void *b) { return a == b; }
static int a_descriptor(void) {
    int made = memfd_create("text", 0);
    return write(made, "12 34 56", 8) == 8 && lseek(made, 0, SEEK_SET) == 0 ? made : -1;
}
static FILE *a_file(void) { return fdopen(a_descriptor(), "r"); }
static int a_pair(void) {
    int ends[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && write(ends[1], "12345678", 8) == 8
               ? ends[0]
               : -1;
}

#include "pairs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *guarded(void *row) {
    pthread_mutex_lock(&lock);
    ((void (*)(void))row)();
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *bare(void *row) {
    ((void (*)(void))row)();
    return NULL;
}

int main(void) {
    pthread_t other;
    unsigned i = teasel_choose(NPAIRS);
    pairs[i].setup();
    void *(*run)(void *) = pairs[i].locked ? guarded : bare;
    pthread_create(&other, NULL, run, (void *)pairs[i].other);
    run((void *)pairs[i].one);
    pthread_join(other, NULL);
    return 0;
}
