// Two threads do the same, one behind the other or mixed; what belongs to a thread must not notice the other.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void library_set(int), library_set_static(int);
int library_get(void), library_get_static(void), library_first(void);
void *library_address(void);

static _Thread_local int local;
static void *seen[3];
static void *plugin; // loaded by main, or NULL
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

// Is it another one than the other thread has?
static int differs(int n, void *own) {
    pthread_mutex_lock(&mutex);
    seen[n] = own;
    int good = seen[1] != seen[2];
    pthread_mutex_unlock(&mutex);
    return good;
}

static void turn(void) {
#ifdef __TEASEL__
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#else
    pthread_barrier_wait(&both);
#endif
}

#define R(name, first, holds)                                                                      \
    static void *name##_thread(void *arg) {                                                        \
        int n = (int)(long)arg;                                                                    \
        char text[64] = "";                                                                        \
        const char *said = "";                                                                     \
        void *own = NULL;                                                                          \
        (void)text, (void)said, (void)own, (void)n;                                                \
        first;                                                                                     \
        turn();                                                                                    \
        assert(holds);                                                                             \
        turn();                                                                                    \
        return NULL;                                                                               \
    }
#include "rows.def"
#undef R

static const struct {
    const char *name;
    void *(*thread)(void *);
} rows[] = {
#define R(name, first, holds) {#name, name##_thread},
#include "rows.def"
#undef R
};

int main(int argc, char **argv) {
    pthread_t a, b;
    assert(argc == 2);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, argv[1]) != 0)
            continue;
        if (strstr(argv[1], "_of_main"))
            plugin = dlopen(NEAR_PLUGIN, RTLD_NOW);
        pthread_barrier_init(&both, NULL, 2);
        pthread_create(&a, NULL, rows[i].thread, (void *)1);
        pthread_create(&b, NULL, rows[i].thread, (void *)2);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
    }
    return 2;
}
