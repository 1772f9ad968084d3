// Threads of a few random steps, some of which end the process.
//
//     mix MAIN CODE...
//
// A CODE is up to four steps of two characters each, a letter and a digit; it is handed over in a register, so that threads share
// nothing but what their steps touch.  MAIN: j joins the threads and exits with what they left, r returns, p leaves main by pthread_exit; then h
// if a handler of exit looks at what they left.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic int x, y;
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static sem_t semaphore;
static char *block;

// Is the next step to be left out?
static int step(int letter, int digit, int held[2]) {
    int which = digit & 1;
    switch (letter) {
    case 'w':
        x = digit;
        break;
    case 'y':
        y = digit;
        break;
    case 'i':
        return x != digit;
    case 'j':
        return y != digit;
    case 'l':
        if (!held[which])
            pthread_mutex_lock(&mutex[which]);
        held[which] = 1;
        break;
    case 'u':
        if (held[which])
            pthread_mutex_unlock(&mutex[which]);
        held[which] = 0;
        break;
    case 't':
        if (!held[which] && pthread_mutex_trylock(&mutex[which]) != 0)
            return 1;
        held[which] = 1;
        break;
    case 'p':
        sem_post(&semaphore);
        break;
    case 's':
        sem_wait(&semaphore);
        break;
    case 'a':
        abort();
    case 'k':
        raise(SIGHUP);
        break;
    case 'K':
        kill(getpid(), SIGKILL);
        break;
    case 'e':
        _exit(20 + digit);
    case 'E':
        exit(40 + digit);
    case 'f':
        free(block);
        break;
    case 'b':
        *(volatile char *)block = 1;
        break;
    }
    return 0;
}

static void *run(void *argument) {
    int held[2] = {0, 0};
    for (uint64_t code = (uintptr_t)argument; code; code >>= 16)
        if (step(code & 255, (code >> 8) & 15, held))
            code >>= 16;
    for (int i = 0; i < 2; i++)
        if (held[i])
            pthread_mutex_unlock(&mutex[i]);
    return NULL;
}

static void look(void) { _exit(100 + x + 4 * y); }

int main(int argc, char **argv) {
    pthread_t threads[4];
    sem_init(&semaphore, 0, 0);
    block = malloc(8);
    if (argv[1][1] == 'h')
        atexit(look);
    for (int i = 2; i < argc; i++) {
        uint64_t code = 0;
        memcpy(&code, argv[i], strlen(argv[i]));
        pthread_create(&threads[i - 2], NULL, run, (void *)(uintptr_t)code);
    }
    for (int i = 2; i < argc && argv[1][0] == 'j'; i++)
        pthread_join(threads[i - 2], NULL);
    if (argv[1][0] == 'j')
        _exit(60 + x + 4 * y);
    if (argv[1][0] == 'p')
        pthread_exit(NULL);
    return 0;
}
