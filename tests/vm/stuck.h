// Does some thread wait for ever, when one ends the process?
//
// The definition of src/rt/sync/stuck.c, by following who waits for whom from each
// thread in turn: to a cycle or to a thread that has ended.
#ifndef TSL_VM_STUCK_H
#define TSL_VM_STUCK_H

#include "vm/machine.h"

bool tsl_vm_has_stuck(const tsl_vm_machine *m, unsigned exiting);

#endif
