// What is asked of the machine, and would be another value in every run.
//
// Time stamp counters, random numbers, the processor's name and the thread pointer come from the
// runtime instead: as intrinsics, as loads through the segment register, and as instructions in
// templates of inline assembly.  There the instruction is replaced by moves from fixed addresses,
// which a hook in front of the assembly fills (tsl_hot.machine).  All threads are one to the
// system, so that the thread pointer must be replaced, too.
#ifndef TSL_CC_MACHINE_H
#define TSL_CC_MACHINE_H

#include <stdbool.h>

#include "cc/weave.h"

// An intrinsic that asks, or assembly that only reads a word behind the thread pointer, is replaced, and gone: true.
bool tsl_machine_question(tsl_weaver *w, LLVMValueRef call);
// A load through a segment register.
void tsl_machine_segment(tsl_weaver *w, LLVMValueRef load);
// Inline assembly, when everything else has been looked at.
void tsl_machine_asm(tsl_weaver *w, LLVMValueRef call);
// A call of a function that is written in assembly: naked, or in the file's own assembly.
void tsl_machine_function(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee);

#endif
