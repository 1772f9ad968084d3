// The yardstick: how often can this machine fork an empty process and wait for it?
//
//     yardstick SECONDS      prints forks per second
//
// Rates of the benchmarks are compared with the yardstick that was measured in the same run.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void fork_and_wait(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    if (pid < 0 || waitpid(pid, NULL, 0) != pid) {
        perror("yardstick");
        exit(1);
    }
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 1.0, begun = now(), spent;
    long forks = 0;
    do {
        fork_and_wait();
        forks++;
    } while ((spent = now() - begun) < seconds);
    printf("%.1f\n", (double)forks / spent);
    return 0;
}
