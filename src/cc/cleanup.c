// Removes temporary files; see cleanup.h.
#include "cc/cleanup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"

// A signal handler has no argument to carry this, hence one global.
static struct {
    char *dir;
    tsl_texts files;
    bool pretend;
    volatile pid_t child;
} state;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};

// Removes files that other tools left in the folder: coverage notes, the file that clang was
// writing when it was killed.  opendir allocates, and this may run in a signal handler.
static void remove_strangers(void) {
    static char entries[4096] __attribute__((aligned(8)));
    int dir = open(state.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (long n; dir >= 0 && (n = getdents64(dir, entries, sizeof entries)) > 0;)
        for (long at = 0; at < n;) {
            struct dirent64 *e = (struct dirent64 *)(entries + at);
            unlinkat(dir, e->d_name, 0); // fails for . and .. only
            at += e->d_reclen;
        }
    if (dir >= 0)
        close(dir);
}

// Makes only calls that are safe in a signal handler.
static void remove_files(void) {
    if (!state.dir || state.pretend)
        return;
    for (size_t i = 0; i < state.files.len; i++)
        unlink(state.files.data[i]);
    remove_strangers();
    rmdir(state.dir);
}

static void on_signal(int number) {
    if (state.child > 0 && kill(state.child, SIGTERM) == 0)
        waitpid(state.child, NULL, 0);
    remove_files();
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        // A build under nohup has SIGHUP ignored, and it should stay so.
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool tsl_cleanup_start(bool pretend, tsl_err *err) {
    const char *tmp = getenv("TMPDIR");
    state.pretend = pretend;
    state.dir = tsl_asprintf("%s/teasel-cc.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (pretend)
        return true;
    sigset_t all, old;
    sigfillset(&all); // a signal before the handlers are set would leave the folder behind
    sigprocmask(SIG_BLOCK, &all, &old);
    bool made = mkdtemp(state.dir) != NULL;
    int error = errno;
    if (made)
        catch_signals();
    sigprocmask(SIG_SETMASK, &old, NULL);
    if (!made) {
        tsl_fail(err, TSL_EIO, "create %s: %s", state.dir, strerror(error));
        tsl_free(state.dir);
        state.dir = NULL;
        return false;
    }
    return true;
}

const char *tsl_cleanup_file(const char *name) {
    char *path = tsl_asprintf("%s/%s", state.dir, name);
    sigset_t all, old;
    sigfillset(&all); // the handler must not see a vector that is just growing
    sigprocmask(SIG_BLOCK, &all, &old);
    tsl_vec_push(&state.files, path);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return path;
}

void tsl_cleanup_child(pid_t child) { state.child = child; }

void tsl_cleanup_end(void) {
    remove_files();
    tsl_texts_drop(&state.files);
    tsl_free(state.dir);
    state.dir = NULL;
}
