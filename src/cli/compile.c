// Compiles a single file with teasel-cc; see compile.h.
#include "cli/compile.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/vec.h"

extern char **environ;

static bool is_source(const char *path) {
    size_t n = strlen(path);
    return n > 2 && strcmp(path + n - 2, ".c") == 0;
}

char *tsl_compile_beside(const char *name) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return tsl_strdup(name);
    path[n] = 0;
    *strrchr(path, '/') = 0;
    return tsl_asprintf("%s/%s", path, name);
}

char *tsl_compile_support(const char *name) {
    char *relative = tsl_asprintf("../lib/teasel/%s", name);
    char *path = tsl_compile_beside(relative);
    tsl_free(relative);
    return path;
}

static char *program_path(const char *source, const char *out_dir) {
    const char *base = tsl_file_base(source);
    return tsl_asprintf("%s/%.*s", out_dir, (int)strlen(base) - 2, base);
}

static bool has_ended(pid_t pid, int *status) { return waitpid(pid, status, WNOHANG) == pid; }

// The compiler is asked to end first, because then it also ends the processes that it started.
static void stop_compiler(pid_t pid) {
    int status, tries = 0;
    kill(pid, SIGTERM);
    while (tries++ < 400 && !has_ended(pid, &status))
        usleep(1000);
    if (tries > 400) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
}

// A signal that asks for the end of the command ends the compiler, too: it comes to the compiler by
// itself only from a terminal.
static bool wait_for(pid_t pid, const char *source, tsl_err *err) {
    int status = 0;
    bool ended;
    while (!(ended = has_ended(pid, &status)) && !tsl_deadline_interrupted())
        usleep(1000);
    if (!ended)
        stop_compiler(pid);
    if (tsl_deadline_interrupted())
        return tsl_fail(err, TSL_ESTOPPED,
                        "stopped by a signal while %s was compiled: nothing was tested", source);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return tsl_fail(err, TSL_EPROGRAM, "%s does not compile; the compiler's words are above",
                        source);
    return true;
}

static bool run_compiler(const char *source, const char *cflags, const char *program,
                         tsl_err *err) {
    char *cc = tsl_compile_beside("teasel-cc"), *flags = tsl_strdup(cflags ? cflags : "");
    TSL_VEC(char *) argv = {0};
    tsl_vec_push(&argv, cc);
    tsl_vec_push(&argv, (char *)source);
    tsl_vec_push(&argv, "-pthread");
    tsl_vec_push(&argv, "-o");
    tsl_vec_push(&argv, (char *)program);
    for (char *word = strtok(flags, " "); word; word = strtok(NULL, " "))
        tsl_vec_push(&argv, word);
    tsl_vec_push(&argv, NULL);
    pid_t pid;
    int error = posix_spawn(&pid, cc, NULL, NULL, argv.data, environ);
    bool ok = error == 0 ? wait_for(pid, source, err)
                         : tsl_fail(err, TSL_EIO, "can't start %s: %s", cc, strerror(error));
    tsl_vec_drop(&argv);
    tsl_free(cc);
    tsl_free(flags);
    return ok;
}

static bool compile(const char *source, const char *cflags, const char *program, tsl_err *err) {
    char *staged = tsl_file_stage(program, err);
    if (!staged)
        return false;
    bool ok = run_compiler(source, cflags, staged, err);
    if (ok)
        ok = tsl_file_publish(staged, program, err);
    else
        tsl_file_unstage(staged);
    tsl_free(staged);
    return ok;
}

char *tsl_compile(const char *given, const char *cflags, const char *out_dir, tsl_err *err) {
    if (!is_source(given))
        return tsl_strdup(given);
    if (access(given, R_OK) != 0) {
        tsl_fail(err, TSL_EIO, "can't read %s: %s", given, strerror(errno));
        return NULL;
    }
    if (!tsl_file_make_folder(out_dir, err))
        return NULL;
    char *program = program_path(given, out_dir);
    if (compile(given, cflags, program, err))
        return program;
    tsl_free(program);
    return NULL;
}
