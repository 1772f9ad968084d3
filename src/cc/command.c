// Runs and prints commands; see command.h.
#include "cc/command.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/file.h"
#include "cc/cleanup.h"

extern char **environ;

// Longer commands go through a response file; Linux allows 2 MiB including the environment.
#define MAX_COMMAND_BYTES (512u * 1024u)

void tsl_command_add(tsl_cc_words *command, ...) {
    va_list ap;
    va_start(ap, command);
    for (const char *word; (word = va_arg(ap, const char *));)
        tsl_vec_push(command, word);
    va_end(ap);
}

static void quote(const char *word, tsl_buf *out) {
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                        "%+,-./:=@_";
    if (*word && !word[strspn(word, plain)]) {
        tsl_buf_puts(out, word);
        return;
    }
    tsl_buf_putc(out, '\'');
    for (; *word; word++)
        if (*word == '\'')
            tsl_buf_puts(out, "'\\''");
        else
            tsl_buf_putc(out, *word);
    tsl_buf_putc(out, '\'');
}

void tsl_command_print(const tsl_cc_words *command, tsl_buf *out) {
    for (size_t i = 0; i < command->len; i++) {
        if (i)
            tsl_buf_putc(out, ' ');
        quote(command->data[i], out);
    }
    tsl_buf_putc(out, '\n');
}

// ---------------------------------------------------------------- running

static size_t total_bytes(const tsl_cc_words *command) {
    size_t bytes = 0;
    for (size_t i = 0; i < command->len; i++)
        bytes += strlen(command->data[i]) + 1;
    return bytes;
}

// Writes all words but the first into a response file, one per line and quoted.
static const char *write_respfile(const tsl_cc_words *command, tsl_err *err) {
    tsl_buf text = {0};
    for (size_t i = 1; i < command->len; i++) {
        tsl_buf_putc(&text, '"');
        for (const char *c = command->data[i]; *c; c++) {
            if (*c == '"' || *c == '\\')
                tsl_buf_putc(&text, '\\');
            tsl_buf_putc(&text, *c);
        }
        tsl_buf_puts(&text, "\"\n");
    }
    const char *path = tsl_cleanup_file("words.rsp");
    return tsl_file_write_text(path, &text, err) ? tsl_asprintf("@%s", path) : NULL;
}

// Signals are blocked until the handler knows which child to end.
static int spawn(const tsl_cc_words *command, pid_t *child) {
    posix_spawnattr_t attr;
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &old);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    int problem =
        posix_spawnp(child, command->data[0], NULL, &attr, (char *const *)command->data, environ);
    if (!problem)
        tsl_cleanup_child(*child);
    posix_spawnattr_destroy(&attr);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return problem;
}

static bool spawn_and_wait(const tsl_cc_words *command, int *status, tsl_err *err) {
    pid_t child;
    int wait_status;
    fflush(NULL);
    int problem = spawn(command, &child);
    if (problem)
        return tsl_fail(err, TSL_EIO, "can't run %s: %s; TEASEL_CLANG names another clang",
                        command->data[0], strerror(problem));
    while (waitpid(child, &wait_status, 0) < 0)
        if (errno != EINTR)
            return tsl_fail(err, TSL_EIO, "wait for %s: %s", command->data[0], strerror(errno));
    tsl_cleanup_child(0);
    *status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
    return true;
}

bool tsl_command_run(const tsl_cc_words *command, int *status, tsl_err *err) {
    tsl_cc_words argv = {0};
    if (total_bytes(command) <= MAX_COMMAND_BYTES) {
        tsl_vec_append(&argv, command->data, command->len);
    } else {
        const char *file = write_respfile(command, err);
        if (!file)
            return false;
        tsl_command_add(&argv, command->data[0], file, NULL);
    }
    tsl_vec_push(&argv, NULL);
    bool ok = spawn_and_wait(&argv, status, err);
    tsl_vec_drop(&argv);
    return ok;
}
