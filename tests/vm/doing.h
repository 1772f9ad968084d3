// What do effect.c, cancel.c and signals.c share?  A step that is being executed.
#ifndef TSL_VM_DOING_H
#define TSL_VM_DOING_H

#include "vm/effect.h"

typedef struct tsl_vm_doing {
    tsl_vm_machine *m;
    tsl_vm_thread *self;
    const tsl_vm_ins *ins;
    tsl_events *out;
    size_t at; // its event in `out`
    unsigned t, choice;
} tsl_vm_doing;

// A value, and its label if it depends on inputs, else 0.
typedef struct tsl_vm_value {
    uint64_t x;
    uint32_t label;
} tsl_vm_value;

void tsl_vm_result(tsl_vm_doing *d, unsigned res); // of the step's event
void tsl_vm_set(tsl_vm_doing *d, unsigned reg, tsl_vm_value v);
void tsl_vm_choice(tsl_vm_doing *d, unsigned n); // the step has so many alternatives

// Executes instructions that are no steps, up to the next one that is a step.
void tsl_vm_go_on_at(tsl_vm_doing *d, unsigned pc);
void tsl_vm_advance(tsl_vm_doing *d, unsigned skip);

unsigned tsl_vm_take_mutex(tsl_vm_doing *d, unsigned mutex, unsigned otherwise);
void tsl_vm_do_woken(tsl_vm_doing *d);
void tsl_vm_do_signal(tsl_vm_doing *d);

// ---------------------------------------------------------------- cancel.c

void tsl_vm_set_cancellation(tsl_vm_doing *d, const tsl_vm_ins *ins); // effect.c
void tsl_vm_clean_up(tsl_vm_doing *d);
void tsl_vm_do_look(tsl_vm_doing *d);
void tsl_vm_do_resignal(tsl_vm_doing *d);
bool tsl_vm_is_cancelled(tsl_vm_doing *d); // if not, it goes on as if there were no request

// ---------------------------------------------------------------- signals.c

void tsl_vm_do_kill(tsl_vm_doing *d);
void tsl_vm_do_test(tsl_vm_doing *d);
void tsl_vm_do_sigmask(tsl_vm_doing *d);
void tsl_vm_do_sigwait(tsl_vm_doing *d);
void tsl_vm_do_return(tsl_vm_doing *d);
bool tsl_vm_is_interrupted(tsl_vm_doing *d); // then a handler runs, and the step is not taken

#endif
