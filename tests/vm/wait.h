// When does a loop of a model program wait?
//
// The rules are those of src/rt/await.c.  A round is what a thread does between the beginning and
// the end of a loop.  It changed nothing if the thread only read, tried in vain to change
// something, or released every lock it took before another thread noticed.  At the end of such a
// round the thread stands before AWAIT.
#ifndef TSL_VM_WAIT_H
#define TSL_VM_WAIT_H

#include "vm/machine.h"

bool tsl_vm_begins_loop(const tsl_vm_code *code, unsigned pc);

// The thread is at the end of a loop and would go on with another round.  Must it wait?
bool tsl_vm_waits(const tsl_vm_machine *m, unsigned thread);
// Has something changed that the round looked at?
bool tsl_vm_saw_change(const tsl_vm_machine *m, unsigned thread);
uint64_t tsl_vm_awaited(const tsl_vm_machine *m, unsigned thread);

// The pending step of the thread counts as a change, whatever its result.
bool tsl_vm_has_effect(const tsl_vm_machine *m, unsigned thread);

void tsl_vm_round_read(tsl_vm_machine *m, unsigned thread, const tsl_vm_ins *ins, uint64_t value);
void tsl_vm_round_saw_taken(tsl_vm_machine *m, unsigned thread, unsigned mutex);
void tsl_vm_round_unlocked(tsl_vm_machine *m, unsigned thread, unsigned mutex);

#endif
