// Does some thread wait for ever when another one ends the process?
//
// This is the definition that src/rt/sync/stuck.c implements: from each thread in turn, follow
// which thread it waits for, and so on, until there is a cycle or a thread that has ended.
#ifndef TSL_VM_STUCK_H
#define TSL_VM_STUCK_H

#include "vm/machine.h"

bool tsl_vm_has_stuck(const tsl_vm_machine *m, unsigned exiting);

#endif
