// The model runner: a runner (explore/runner.h) that interprets a model program in memory.
//
// It follows Plans as the runtime does: first the prefix, then the policy, which picks among the
// threads that do not sleep.  Up to eight Plans may be in flight.  Each is run when its Trace is
// collected, so Traces come in the order of the Plans.
#ifndef TSL_VM_RUNNER_H
#define TSL_VM_RUNNER_H

#include "explore/runner.h"
#include "vm/machine.h"

typedef struct tsl_vm_runner tsl_vm_runner;

tsl_vm_runner *tsl_vm_runner_new(void);
void tsl_vm_runner_free(tsl_vm_runner *runner);
void tsl_vm_runner_load(tsl_vm_runner *runner, const tsl_vm_program *program); // borrowed
tsl_runner tsl_vm_runner_interface(tsl_vm_runner *runner);

// The state in which the run that was collected last ended (tsl_vm_state).
uint64_t tsl_vm_runner_final(const tsl_vm_runner *runner);
uint64_t tsl_vm_runner_outline(const tsl_vm_runner *runner); // tsl_vm_outline

#endif
