// The subcommands.  Each gets the words after its name and returns the exit code.
#ifndef TSL_CLI_CLI_H
#define TSL_CLI_CLI_H

#include "base/opt.h"

enum tsl_exit { TSL_EXIT_CLEAN, TSL_EXIT_BUGS, TSL_EXIT_ERROR, TSL_EXIT_UNTESTED };

int tsl_cli_test(int argc, char **argv);
int tsl_cli_replay(int argc, char **argv);
int tsl_cli_export(int argc, char **argv);
int tsl_cli_report(int argc, char **argv);
int tsl_cli_selfcheck(int argc, char **argv);

// Prints the help text of a subcommand, whose options stand in the middle.
void tsl_cli_help(const tsl_opt *opts, const char *before, const char *after);

// Prints the line that says what is wrong.  Returns TSL_EXIT_ERROR, or TSL_EXIT_UNTESTED if a signal
// ended the command.
int tsl_cli_error(const tsl_err *err);

#endif
