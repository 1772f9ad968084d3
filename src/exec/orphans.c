// See orphans.h.
#include "exec/orphans.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"

enum {
    ROUNDS = 50, // of one millisecond each
    MOST_DESCENDANTS = 100000,
};

typedef TSL_VEC(pid_t) pid_vec;

static pid_vec own; // children that the tool started itself, or had when it began
static bool adopts;

// The children of one thread of a process.
static void read_children(pid_t pid, pid_t task, pid_vec *out) {
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)task);
    FILE *f = fopen(path, "re");
    while (f && fscanf(f, "%d", &child) == 1)
        tsl_vec_push(out, child);
    if (f)
        fclose(f);
}

// The children of all threads of a process.
static void read_all_children(pid_t pid, pid_vec *out) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *task; tasks && (task = readdir(tasks));)
        if (task->d_name[0] != '.')
            read_children(pid, (pid_t)strtol(task->d_name, NULL, 10), out);
    if (tasks)
        closedir(tasks);
}

void tsl_orphans_adopt(void) {
    if (adopts)
        return;
    read_children(getpid(), getpid(), &own);
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

// Kills processes with all their descendants.  These are found before the first process is killed:
// on a busy machine a parent takes a while to die, and only then do its children become orphans.
static void kill_with_descendants(pid_vec *pids) {
    for (size_t i = 0; i < pids->len && pids->len < MOST_DESCENDANTS; i++)
        read_all_children(pids->data[i], pids);
    for (size_t i = 0; i < pids->len; i++)
        kill(pids->data[i], SIGKILL);
}

void tsl_orphans_kill(pid_t pid) {
    pid_vec pids = {0};
    tsl_vec_push(&pids, pid);
    kill_with_descendants(&pids);
    tsl_vec_drop(&pids);
}

// Returns true if there was an orphan.
static bool kill_orphans(void) {
    pid_vec children = {0}, orphans = {0};
    read_children(getpid(), getpid(), &children);
    for (size_t i = 0; i < children.len; i++)
        if (!is_own(children.data[i]))
            tsl_vec_push(&orphans, children.data[i]);
    size_t n = orphans.len;
    kill_with_descendants(&orphans);
    for (size_t i = 0; i < n; i++)
        waitpid(orphans.data[i], NULL, WNOHANG);
    tsl_vec_drop(&children);
    tsl_vec_drop(&orphans);
    return n > 0;
}

// Repeated, because the children of processes that die become orphans, too.
void tsl_orphans_end(void) {
    struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; adopts && i < ROUNDS && kill_orphans(); i++)
        nanosleep(&moment, NULL);
}
