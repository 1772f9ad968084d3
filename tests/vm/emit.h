// What is a model program in C?
//
// The C program makes the same calls and accesses, to test the compiler and the runtime.  Each
// instruction is one line of C, and `#line` gives the line the number of the instruction's site in
// the model (tsl_vm_site).  So a pair of sites that race is the same pair of numbers in both.
#ifndef TSL_VM_EMIT_H
#define TSL_VM_EMIT_H

#include "vm/program.h"

enum { TSL_VM_EMIT_LINES = 1000 }; // of one program; the k-th program has lines from k * 1000 on

// False if C has no such program: an unaligned atomic access, an instruction that C has no call
// for, a thread that names another one which may not be there yet.
bool tsl_vm_can_emit(const tsl_vm_program *program);

// What all programs of one file need, once at its beginning.
void tsl_vm_emit_head(tsl_buf *out);

// The k-th program of a file: `run_k_0` is the code of its first thread.
void tsl_vm_emit(const tsl_vm_program *program, unsigned k, tsl_buf *out);

// The function main, which runs the program whose number is its argument.
void tsl_vm_emit_main(unsigned programs, tsl_buf *out);

#endif
