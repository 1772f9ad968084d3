// How is a command put together, run, or printed?
#ifndef TSL_CC_COMMAND_H
#define TSL_CC_COMMAND_H

#include "base/buf.h"
#include "cc/args.h"

// Adds several words; the last argument is NULL.
void tsl_command_add(tsl_cc_words *command, ...) __attribute__((sentinel));

// Runs the command and waits for it.  *status is its exit status, or 128 + signal.
bool tsl_command_run(const tsl_cc_words *command, int *status, tsl_err *err);

// One line that a shell would run as the same command.
void tsl_command_print(const tsl_cc_words *command, tsl_buf *out);

#endif
