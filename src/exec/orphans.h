// Processes that the program under test has started and left.
//
// A process that leaves the session of its parent and outlives it belongs to nobody.  The tool says that such
// processes become its own children (prctl PR_SET_CHILD_SUBREAPER), and ends them with the program.  Those that were
// its children before, because it was started in the place of their parent, are let alone.
#ifndef TSL_EXEC_ORPHANS_H
#define TSL_EXEC_ORPHANS_H

#include <sys/types.h>

// From now on; before the first program is started.
void tsl_orphans_adopt(void);

// The tool has started a process itself; it has ended.
void tsl_orphans_add(pid_t own);
void tsl_orphans_remove(pid_t own);

// Kills a process of the program, and all that come from it.
void tsl_orphans_kill(pid_t pid);

// Kills all children but the tool's own; what cannot die at once is not waited for long.
void tsl_orphans_end(void);

#endif
