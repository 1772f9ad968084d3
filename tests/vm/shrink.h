// What is the smallest program that still fails?
#ifndef TSL_VM_SHRINK_H
#define TSL_VM_SHRINK_H

#include "vm/program.h"

typedef bool tsl_vm_fails(const tsl_vm_program *program, void *context);

// Takes away threads, then instructions, as long as the program still fails.
void tsl_vm_shrink(tsl_vm_program *program, tsl_vm_fails *fails, void *context);

#endif
