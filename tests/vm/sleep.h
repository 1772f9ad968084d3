// Which threads sleep, and when do they wake?
//
// A Plan says which steps sleep.  A sleeping step wakes when a step that conflicts with it is
// executed.  An arrival at a barrier that commutes with a sleeping arrival takes one place of the
// round, so that the sleeping one would find one place fewer.
#ifndef TSL_VM_SLEEP_H
#define TSL_VM_SLEEP_H

#include "abi/conflict.h"
#include "trace/plan.h"

enum { TSL_VM_SLEEPERS = 16, TSL_VM_STEP_ACCESSES = 4 };

typedef struct tsl_vm_accesses {
    tsl_access list[TSL_VM_STEP_ACCESSES];
    unsigned n;
} tsl_vm_accesses;

typedef struct tsl_vm_sleep {
    struct {
        uint16_t thread;
        tsl_vm_accesses accesses;
    } steps[TSL_VM_SLEEPERS];
    unsigned n;
} tsl_vm_sleep;

// Reads the accesses of one step from its event and the notes after it.
void tsl_vm_accesses_of(const tsl_event *events, size_t nevents, tsl_vm_accesses *out);

bool tsl_vm_sleep_load(tsl_vm_sleep *sleep, const tsl_events *events); // false: too many
bool tsl_vm_sleep_has(const tsl_vm_sleep *sleep, uint16_t thread);
void tsl_vm_sleep_executed(tsl_vm_sleep *sleep, const tsl_event *events, size_t nevents);

#endif
