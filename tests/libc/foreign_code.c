// Code that tests/libc/run.sh compiles without instrumentation: it counts, and touches what it was given earlier.
#include <pthread.h>
#include <stdlib.h>
#include <sys/types.h>

int counter;
static int *given;

void count_up(void) { counter++; }
void count_arg(void *arg) { counter += arg != NULL; }
void count_status(int status, void *arg) { counter += status + (arg != NULL); }
void *count_thread(void *arg) {
    counter++;
    return arg;
}
void count_signal(int sig) { counter += sig; }
int count_compare(const void *a, const void *b) {
    counter++;
    return *(const int *)a - *(const int *)b;
}
int count_compare_with(const void *a, const void *b, void *arg) {
    counter += arg != NULL;
    return *(const int *)a - *(const int *)b;
}
void give(int *to) { given = to; }
void count_given(void) { (*given)++; }

// Goes on beside a thread that it has started.
void count_beside(void *(*start)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, start, NULL);
    counter++;
    pthread_join(thread, NULL);
}

static void __attribute__((destructor)) count_last(void) { counter++; }

ssize_t count_written(void *cookie, const char *from, size_t n) {
    (void)cookie, (void)from;
    counter++;
    return (ssize_t)n;
}
