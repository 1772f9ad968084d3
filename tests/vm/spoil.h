// A runner for tests of programs that are not repeatable.
//
// It is the model runner (runner.h), but now and then it hands out a Trace that is not the one that
// belongs to the Plan:
//
//     another program's   the same Plan, run by the other program
//     cut                 without its end
//     changed             one event has another kind, thread, place, address or result
//     moved               two events have changed places, one is missing or there twice
//     ended otherwise     another outcome, perhaps without any events
//
// A program looks like this if it reads a clock, hears from another process, or overwrites the
// memory that it shares with the tool.
#ifndef TSL_VM_SPOIL_H
#define TSL_VM_SPOIL_H

#include "vm/runner.h"

typedef struct tsl_vm_spoiler tsl_vm_spoiler;

tsl_vm_spoiler *tsl_vm_spoiler_new(void);
void tsl_vm_spoiler_free(tsl_vm_spoiler *spoiler);

// One Trace out of this many is spoiled; with 0 none is.  Both programs are borrowed.
void tsl_vm_spoiler_load(tsl_vm_spoiler *spoiler, const tsl_vm_program *program,
                         const tsl_vm_program *other, unsigned one_of, uint64_t seed);
tsl_runner tsl_vm_spoiler_interface(tsl_vm_spoiler *spoiler);

// How many Traces differed from the prefix of their Plan before its last step.
uint64_t tsl_vm_spoiler_prefixes(const tsl_vm_spoiler *spoiler);
// Must a search have noticed that?  It must if only one Trace was spoiled.  (Two spoiled Traces may
// agree with each other, if both are of the other program.)
bool tsl_vm_spoiler_must_show(const tsl_vm_spoiler *spoiler);

#endif
