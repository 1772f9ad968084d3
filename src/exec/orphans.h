// Which processes has the program under test started and left behind?
//
// A process that leaves its parent's session and outlives the parent is an orphan.  The tool makes
// orphans its own children (prctl PR_SET_CHILD_SUBREAPER), and ends them with the program.  It does
// not end children that it had when it began, because exec put it in their parent's place.
#ifndef TSL_EXEC_ORPHANS_H
#define TSL_EXEC_ORPHANS_H

#include <sys/types.h>

// Starts to adopt orphans.  Called before the first program is started.
void tsl_orphans_adopt(void);

// Tells that the tool has started a process itself, or that this has ended.
void tsl_orphans_add(pid_t own);
void tsl_orphans_remove(pid_t own);

// Kills a process of the program, and all its descendants.
void tsl_orphans_kill(pid_t pid);

// Kills all adopted children.  Does not wait long for a process that can't die at once.
void tsl_orphans_end(void);

#endif
