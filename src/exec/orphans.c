// See orphans.h.
#include "exec/orphans.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"

enum { ROUNDS = 50 }; // of a millisecond

typedef TSL_VEC(pid_t) pid_vec;

static pid_vec own; // those of the tool, and those that were there before it
static bool adopts;

static void read_children(pid_vec *out) {
    char path[64];
    int pid;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "re");
    while (f && fscanf(f, "%d", &pid) == 1)
        tsl_vec_push(out, pid);
    if (f)
        fclose(f);
}

void tsl_orphans_adopt(void) {
    if (adopts)
        return;
    read_children(&own);
    adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

void tsl_orphans_add(pid_t pid) { tsl_vec_push(&own, pid); }

void tsl_orphans_remove(pid_t pid) {
    for (size_t i = 0; i < own.len; i++)
        if (own.data[i] == pid) {
            own.data[i] = own.data[--own.len];
            return;
        }
}

static bool is_own(pid_t pid) {
    for (size_t i = 0; i < own.len; i++)
        if (own.data[i] == pid)
            return true;
    return false;
}

// True if there was one.
static bool kill_orphans(void) {
    pid_vec children = {0};
    bool any = false;
    read_children(&children);
    for (size_t i = 0; i < children.len; i++)
        if (!is_own(children.data[i])) {
            any = true;
            kill(children.data[i], SIGKILL);
            waitpid(children.data[i], NULL, WNOHANG);
        }
    tsl_vec_drop(&children);
    return any;
}

// The children of those that die come next.
void tsl_orphans_end(void) {
    struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; adopts && i < ROUNDS && kill_orphans(); i++)
        nanosleep(&moment, NULL);
}
