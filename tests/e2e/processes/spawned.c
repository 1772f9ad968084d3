// Processes that libc starts write to pipes: they are waited for as long as they live, also when another one has
// ended already and nobody has asked for its status.
// teasel: strategies=random,optimal runs=2 determinism=no
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static pid_t start(const char *command, int ends[2]) {
    pid_t pid;
    posix_spawn_file_actions_t actions;
    assert(pipe(ends) == 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    char *argv[] = {"sh", "-c", (char *)command, NULL};
    assert(posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    return pid;
}

static void *reader(void *arg) {
    char text[8] = "";
    assert(read(*(int *)arg, text, sizeof text) == 5 && memcmp(text, "late\n", 5) == 0);
    return NULL;
}

int main(void) {
    int first[2], second[2];
    pthread_t t;
    pid_t ended = start("true", first), late = start("sleep 0.1; echo late", second);
    pthread_create(&t, NULL, reader, &second[0]);
    pthread_join(t, NULL);
    assert(waitpid(ended, NULL, 0) == ended && waitpid(late, NULL, 0) == late);
    FILE *out = popen("sleep 0.1; echo late", "r");
    int fd = fileno(out);
    reader(&fd);
    assert(pclose(out) == 0);
    return 0;
}
