// A runner whose program does not repeat itself: the model runner (runner.h), but now and then the
// Trace it hands out is not what the Plan stands for.
//
//     another program's   the same Plan, run by the other program
//     cut                 without its end
//     changed             one event has another kind, thread, place, address or result
//     moved               two events have changed places, one is missing or there twice
//     ended otherwise     another outcome, perhaps without any events
//
// This is what a program looks like that reads a clock, hears from another process, or writes over
// the memory it shares with the tool.
#ifndef TSL_VM_SPOIL_H
#define TSL_VM_SPOIL_H

#include "vm/runner.h"

typedef struct tsl_vm_spoiler tsl_vm_spoiler;

tsl_vm_spoiler *tsl_vm_spoiler_new(void);
void tsl_vm_spoiler_free(tsl_vm_spoiler *spoiler);

// One Trace of so many is spoiled; 0: none.  Both programs are borrowed.
void tsl_vm_spoiler_load(tsl_vm_spoiler *spoiler, const tsl_vm_program *program,
                         const tsl_vm_program *other, unsigned one_of, uint64_t seed);
tsl_runner tsl_vm_spoiler_interface(tsl_vm_spoiler *spoiler);

// So many Traces differed from what the Plan's prefix stands for, before its last step.
uint64_t tsl_vm_spoiler_prefixes(const tsl_vm_spoiler *spoiler);
// And a search must have noticed: it was the only Trace that was spoiled.  (Two may agree with each
// other, if both are the other program's.)
bool tsl_vm_spoiler_must_show(const tsl_vm_spoiler *spoiler);

#endif
