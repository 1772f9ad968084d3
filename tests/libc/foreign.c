// All the ways into code that is not instrumented (foreign_code.c), while a thread of the program accesses the same memory.
//
//     ./foreign WAY beside    the code runs beside the thread
//     ./foreign WAY alone     the thread was joined before
//     ./foreign               prints the ways
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

extern int counter;
void count_up(void), count_arg(void *), count_status(int, void *), count_signal(int);
void *count_thread(void *);
int count_compare(const void *, const void *),
    count_compare_with(const void *, const void *, void *);
ssize_t count_written(void *, const char *, size_t);
void give(int *), count_given(void), count_beside(void *(*)(void *));

static int own, numbers[2] = {2, 1};
static pthread_key_t key;
static tss_t tss;
static const char *way;

static int is(const char *name) { return strcmp(way, name) == 0; }

static void *worker(void *arg) {
    counter++;
    own++;
    return arg;
}

static void by_name(void) { count_up(); }
static void by_pointer(void) {
    void (*volatile call)(void) = count_up;
    call();
}
static void by_memory(void) { count_given(); }
static void by_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, count_up);
}
static void by_call_once(void) {
    static once_flag flag = ONCE_FLAG_INIT;
    call_once(&flag, count_up);
}
static void by_stream(void) {
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = count_written});
    fputs("text", stream);
    fclose(stream);
}
static void by_qsort(void) { qsort(numbers, 2, sizeof *numbers, count_compare); }
static void by_qsort_r(void) { qsort_r(numbers, 2, sizeof *numbers, count_compare_with, &own); }
static void by_bsearch(void) { bsearch(numbers, numbers, 2, sizeof *numbers, count_compare); }
static void by_lfind(void) {
    lfind(numbers, numbers, &(size_t){2}, sizeof *numbers, count_compare);
}
static void by_lsearch(void) {
    lsearch(numbers, numbers, &(size_t){2}, sizeof *numbers, count_compare);
}
static void by_tsearch(void) {
    void *root = NULL;
    tsearch(&numbers[0], &root, count_compare);
    tsearch(&numbers[1], &root, count_compare);
}
static void by_tdestroy(void) {
    void *root = NULL;
    tsearch(&numbers[0], &root, count_compare);
    tdestroy(root, count_arg);
}
static void by_cleanup(void) {
    pthread_cleanup_push(count_arg, &own);
    pthread_cleanup_pop(1);
}
static void by_raise(void) {
    signal(SIGUSR1, count_signal);
    raise(SIGUSR1);
}
static void by_kill(void) {
    signal(SIGUSR1, count_signal);
    pthread_kill(pthread_self(), SIGUSR1);
}
static void by_thread(void) {
    pthread_t other;
    pthread_create(&other, NULL, count_thread, NULL);
    pthread_join(other, NULL);
}
static void by_creator(void) { count_beside(worker); }
static void by_key(void) {
    pthread_setspecific(key, &own);
    pthread_exit(NULL);
}
static void by_tss(void) {
    tss_set(tss, &own);
    thrd_exit(0);
}
static void by_atexit(void) {
    atexit(count_up);
    exit(0);
}
static void by_on_exit(void) {
    on_exit(count_status, &own);
    exit(0);
}
static void by_quick_exit(void) {
    at_quick_exit(count_up);
    quick_exit(0);
}
static void by_destructor(void) { exit(0); }
static void by_timer(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                             .sigev_notify_function = (void (*)(union sigval))count_arg};
    struct itimerspec at = {.it_value.tv_nsec = 1000};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &at, NULL);
}

#define WAY(name)                                                                                  \
    { #name, by_##name }
static const struct {
    const char *name;
    void (*call)(void);
} ways[] = {WAY(name),    WAY(pointer), WAY(memory),     WAY(once),       WAY(call_once),
            WAY(stream),  WAY(qsort),   WAY(qsort_r),    WAY(bsearch),    WAY(lfind),
            WAY(lsearch), WAY(tsearch), WAY(tdestroy),   WAY(cleanup),    WAY(raise),
            WAY(kill),    WAY(thread),  WAY(creator),    WAY(key),        WAY(tss),
            WAY(atexit),  WAY(on_exit), WAY(quick_exit), WAY(destructor), WAY(timer)};

static void go(void) {
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        if (is(ways[i].name))
            ways[i].call();
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc < 3) {
        for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
            puts(ways[i].name);
        return 0;
    }
    way = argv[1];
    give(&own);
    pthread_key_create(&key, count_arg);
    tss_create(&tss, count_arg);
    pthread_create(&thread, NULL, worker, NULL);
    if (strcmp(argv[2], "alone") == 0) {
        pthread_join(thread, NULL);
        go();
    } else {
        go();
        pthread_join(thread, NULL);
    }
    _exit(0);
}
