// One way out of the process (first argument), and what the code that runs then waits for (second argument).
//
// The other thread does one step that the waiting code needs.  None of the combinations is a bug: the thread goes on
// while handlers and destructors run.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *wait_for = "";
static pthread_t thread, leaver;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t done;
static int ready, count;
static atomic_int flag;

static int is(const char *what) { return strcmp(wait_for, what) == 0; }

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    count++;
    ready = 1;
    if (is("condition"))
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    if (is("semaphore"))
        sem_post(&done);
    flag = 1;
    return arg;
}

static void waiting(void) {
    if (is("join"))
        pthread_join(thread, NULL);
    if (is("semaphore"))
        sem_wait(&done);
    while (is("poll") && !flag)
        usleep(100);
    while (is("spin") && !flag)
        ;
    pthread_mutex_lock(&lock);
    while (is("condition") && !ready)
        pthread_cond_wait(&changed, &lock);
    count++;
    pthread_mutex_unlock(&lock);
}

static void waiting_with(int status, void *arg) {
    (void)status;
    (void)arg;
    waiting();
}

static int at_end;

__attribute__((destructor)) static void last(void) {
    if (at_end)
        waiting();
}

static void *leave(void *arg) {
    (void)arg;
    exit(0);
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    const char *way = argv[1];
    wait_for = argv[2];
    sem_init(&done, 0, 0);
    if (!strcmp(way, "on_exit"))
        on_exit(waiting_with, NULL);
    else if (!strcmp(way, "quick_exit"))
        at_quick_exit(waiting);
    else if (!strcmp(way, "destructor"))
        at_end = 1;
    else
        atexit(waiting);
    pthread_create(&thread, NULL, work, NULL);
    if (!strcmp(way, "quick_exit"))
        quick_exit(0);
    if (!strcmp(way, "thread")) {
        pthread_create(&leaver, NULL, leave, NULL);
        pthread_join(leaver, NULL);
    }
    if (!strcmp(way, "exit"))
        exit(0);
    if (!strcmp(way, "pthread_exit"))
        pthread_exit(NULL);
    return 0;
}
