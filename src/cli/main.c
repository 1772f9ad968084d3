// teasel: finds the subcommand and runs it.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/compile.h"

// `teasel cc` is teasel-cc, which stands beside this program.
static int run_cc(int argc, char **argv) {
    (void)argc;
    argv[0] = tsl_compile_beside("teasel-cc");
    execv(argv[0], argv);
    fprintf(stderr, "teasel: can't start teasel-cc: %s\n", strerror(errno));
    return TSL_EXIT_ERROR;
}

static int help(int argc, char **argv);

static int version(int argc, char **argv) {
    (void)argc;
    (void)argv;
    puts("teasel " TEASEL_VERSION);
    return TSL_EXIT_CLEAN;
}

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help; // NULL: not listed
} commands[] = {
    {"test", tsl_cli_test, "run a program under many schedules and report what breaks"},
    {"replay", tsl_cli_replay, "run a recorded bug again, or in gdb"},
    {"export", tsl_cli_export, "write the inputs of each path, as files or as a C test"},
    {"report", tsl_cli_report, "what earlier tests covered, for lcov and genhtml"},
    {"cc", run_cc, "compile and instrument: the same as teasel-cc"},
    {"selfcheck", tsl_cli_selfcheck, "check that a program's runs are repeatable"},
    {"version", version, "print the version"},
    {"help", help, "this text, or that of a command"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown(const char *name);

static int help(int argc, char **argv) {
    const struct command *about = argc > 1 ? find(argv[1]) : NULL;
    if (argc > 1 && !about && argv[1][0] != '-')
        return unknown(argv[1]);
    if (about && about->run != help && about->run != version) {
        char *words[] = {argv[1], "--help", NULL};
        return about->run(2, words);
    }
    puts("usage: teasel COMMAND [options]\n\n"
         "Teasel runs a C program again and again, each time under a thread schedule\n"
         "that forces something new, and reports crashes, failed assertions, deadlocks\n"
         "and memory errors with a replay of each.\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].help);
    puts("\nFirst steps:\n"
         "  teasel test prog.c             compile one file and test it\n"
         "  make CC=teasel-cc              build your project with it\n"
         "  teasel test ./prog -- args     test what was built\n"
         "  teasel export --c test.c       its inputs as a test for your own suite\n\n"
         "teasel COMMAND --help tells a command's options.");
    return TSL_EXIT_CLEAN;
}

int tsl_cli_error(const tsl_err *err) {
    fprintf(stderr, "teasel: %s\n", err->text);
    return err->code == TSL_ESTOPPED ? TSL_EXIT_UNTESTED : TSL_EXIT_ERROR;
}

void tsl_cli_help(const tsl_opt *opts, const char *before, const char *after) {
    tsl_buf text = {0};
    tsl_opt_help(opts, &text);
    printf("%s%s%s", before, tsl_buf_text(&text), after);
    tsl_buf_drop(&text);
}

static int unknown(const char *name) {
    const char *nearest = "help";
    size_t best = 3;
    for (size_t i = 0; i < COMMANDS; i++) {
        size_t distance = tsl_opt_distance(name, commands[i].name);
        if (distance < best) {
            best = distance;
            nearest = commands[i].name;
        }
    }
    fprintf(stderr, "teasel: unknown command %s; did you mean `teasel %s`?\n", name, nearest);
    return TSL_EXIT_ERROR;
}

int main(int argc, char **argv) {
    signal(SIGXFSZ, SIG_IGN); // a write to a file that may not grow then fails with a message
    if (argc < 2) {
        fputs("teasel: no command; try `teasel test prog.c` or `teasel help`\n", stderr);
        return TSL_EXIT_ERROR;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    const struct command *command = find(name);
    return command ? command->run(argc - 1, argv + 1) : unknown(name);
}
