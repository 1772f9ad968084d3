// What is left behind when teasel-cc ends, however it ends?  Nothing.
//
// One private folder for temporary files, removed at the end, after an error,
// and when a signal ends the process; a compiler still running is ended first,
// so that it can't write into the folder any more.
#ifndef TSL_CC_CLEANUP_H
#define TSL_CC_CLEANUP_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

// With `pretend` nothing is created: names only, for --print-command.
bool tsl_cleanup_start(bool pretend, tsl_err *err);

// A file of that name in the folder; stays valid until tsl_cleanup_end.
const char *tsl_cleanup_file(const char *name);

// The child to end on a signal; 0: none.
void tsl_cleanup_child(pid_t child);

void tsl_cleanup_end(void);

#endif
