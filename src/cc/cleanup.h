// What is left behind when teasel-cc ends, however it ends?  Nothing.
//
// One private folder has all temporary files.  It is removed at the end, after an error, and when a
// signal ends the process, but not before a compiler that still runs and might write into it.
#ifndef TSL_CC_CLEANUP_H
#define TSL_CC_CLEANUP_H

#include <sys/types.h>

#include "base/err.h"

// With `pretend` no folder is created: --print-command needs only the names.
bool tsl_cleanup_start(bool pretend, tsl_err *err);

// The path of a file of that name in the folder; valid until tsl_cleanup_end.
const char *tsl_cleanup_file(const char *name);

// The child to end on a signal; 0: none.
void tsl_cleanup_child(pid_t child);

void tsl_cleanup_end(void);

#endif
