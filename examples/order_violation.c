// Crash: a pointer is used before it is set.
//
//     teasel test examples/order_violation.c
//
// The logger thread is started first and the log is opened after it.  Usually the opening
// is quick enough.  The report has a stack for every thread; to look at the moment itself:
//
//     teasel replay teasel-out/order_violation-1.replay --gdb
//
// teasel: strategies=random,dfs runs=5000
// expect: crash at=BUG
// expect: race ~ `the_log`
#include <pthread.h>
#include <stdlib.h>

struct log {
    int lines;
};
static struct log *the_log;

static void write_line(struct log *log) {
    log->lines++; // BUG
}

static void *logger(void *arg) {
    write_line(the_log);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, logger, NULL);
    the_log = calloc(1, sizeof *the_log);
    pthread_join(thread, NULL);
    free(the_log);
    return 0;
}
