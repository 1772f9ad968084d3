// Which questions to the machine would be answered differently in every run?
//
// Time stamp counters, random numbers, the processor's name and the thread pointer are taken from
// the runtime instead.  Programs ask for them by intrinsics, by loads through the segment register,
// and by instructions in inline assembly.  Such an instruction is replaced by moves from fixed
// addresses, which a hook in front of the assembly fills (tsl_hot.machine).  The thread pointer
// must be replaced because all threads of the program are one thread to the system.
#ifndef TSL_CC_MACHINE_H
#define TSL_CC_MACHINE_H

#include "cc/weave.h"

// Replaces an intrinsic that asks the machine, or assembly that only reads a word at an offset from
// the thread pointer.  Returns true if it did; `call` is then gone.
bool tsl_machine_question(tsl_weaver *w, LLVMValueRef call);
// Replaces a load of the thread pointer through the segment register, and reports any other.
void tsl_machine_segment(tsl_weaver *w, LLVMValueRef load);
// Patches inline assembly.  Called after its accesses have been announced.
void tsl_machine_asm(tsl_weaver *w, LLVMValueRef call);
// Reports the questions of a function in assembly: a naked one, or one in the file's own assembly.
void tsl_machine_function(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee);

#endif
