// When does a loop of a model program wait?  The rules of src/rt/await.c.
//
// A round is what a thread does between the beginning of a loop and its end.  It changed nothing if
// it only read, tried in vain to change something, or gave back every lock it took before
// anybody noticed.  Where such a round ends the thread stands before AWAIT.
#ifndef TSL_VM_WAIT_H
#define TSL_VM_WAIT_H

#include "vm/machine.h"

bool tsl_vm_begins_loop(const tsl_vm_code *code, unsigned pc);

// The thread has come to the end of a loop and is to go on: must it wait?
bool tsl_vm_waits(const tsl_vm_machine *m, unsigned thread);
// Is something that its round looked at no longer what it saw?
bool tsl_vm_saw_change(const tsl_vm_machine *m, unsigned thread);
uint64_t tsl_vm_awaited(const tsl_vm_machine *m, unsigned thread);

// The step the thread stands before counts as a change whatever comes of it.
bool tsl_vm_has_effect(const tsl_vm_machine *m, unsigned thread);

void tsl_vm_round_read(tsl_vm_machine *m, unsigned thread, const tsl_vm_ins *ins, uint64_t value);
void tsl_vm_round_saw_taken(tsl_vm_machine *m, unsigned thread, unsigned mutex);
void tsl_vm_round_unlocked(tsl_vm_machine *m, unsigned thread, unsigned mutex);

#endif
