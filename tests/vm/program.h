// What is a model program?  A tiny program with threads, for the model runner.
//
// A program has up to six threads.  Each is a list of instructions over a few shared words, locks
// and so on, and over registers of its own.  Jumps go forward, so every program ends or blocks;
// only loops that wait (wait.h) jump back.  Thread 0 is main; each other thread runs once some
// thread executes its `create`.  A thread may ask for inputs.
//
// The text form has one line for each instruction, so that a program that showed a bug can be kept
// (tests/vm/corpus):
//
//     sem 0 1            semaphore 0 starts with 1
//     barrier 0 2        barrier 0 waits for 2
//     spurious           waits may wake spuriously
//     atexit 0           a handler looks at word 0 before the process ends
//     thread 0
//       create 1
//       write 0 0 8 5 -  eight bytes at offset 0 of word 0 = 5
//     thread 1
//       read 0 0 8 r0    # the rest of a line is a comment
//       aread 1 0 8 r1 acquire
#ifndef TSL_VM_PROGRAM_H
#define TSL_VM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum {
    TSL_VM_THREADS = 6,
    TSL_VM_CODE = 32, // instructions of a thread
    TSL_VM_WORDS = 4,
    TSL_VM_OBJECTS = 4, // of each kind
    TSL_VM_REGS = 4,
    TSL_VM_NO_REG = 255,
    TSL_VM_INPUTS = 3,      // of a thread
    TSL_VM_INPUT_VALUES = 4 // so many values can be told apart
};

enum tsl_vm_op {
#define TSL_VM_OP(name, text, operands, event) TSL_VM_##name,
#include "vm/ops.def"
#undef TSL_VM_OP
    TSL_VM_OP_COUNT
};

typedef struct tsl_vm_ins {
    uint8_t op; // enum tsl_vm_op
    uint8_t obj, mutex, off, size;
    uint8_t reg, reg2; // TSL_VM_NO_REG: none
    uint16_t v, u;
    uint8_t weaker, fails_weaker; // 5 - memory_order, so that 0 is sequentially consistent
} tsl_vm_ins;

// The memory_order of the step, and of a compare-and-swap that fails.
static inline unsigned tsl_vm_order(const tsl_vm_ins *ins) { return 5u - ins->weaker; }
static inline unsigned tsl_vm_failure_order(const tsl_vm_ins *ins) {
    return 5u - ins->fails_weaker;
}

typedef struct tsl_vm_code {
    tsl_vm_ins ins[TSL_VM_CODE];
    uint8_t len;
    uint16_t number; // in events; see tsl_vm_program_seal
} tsl_vm_code;

typedef struct tsl_vm_program {
    tsl_vm_code threads[TSL_VM_THREADS];
    uint8_t nthreads, nsems, nbarriers;
    uint8_t sems[TSL_VM_OBJECTS];     // first values
    uint8_t barriers[TSL_VM_OBJECTS]; // how many threads each waits for
    bool spurious;
    uint8_t at_exit; // word + 1 that a handler looks at before the process ends, or 0
    bool cancels;    // some thread asks another one to cancel; see tsl_vm_program_seal
    bool kills;      // some thread sends another one the signal
} tsl_vm_program;

// Numbers the threads as the runtime does: children of main are 1, 2, ..., deeper ones far above.
// Also fills in `cancels` and `kills`.  Call this when the code is complete.
void tsl_vm_program_seal(tsl_vm_program *program);

// The names of objects and sites in events.  A site is unique in the program and never 0.
uint64_t tsl_vm_word_addr(unsigned word);
uint64_t tsl_vm_thread_addr(unsigned number);
uint32_t tsl_vm_site(unsigned thread, unsigned pc);

const char *tsl_vm_op_name(unsigned op);
const char *tsl_vm_op_operands(unsigned op);

void tsl_vm_program_print(const tsl_vm_program *program, tsl_buf *out);
bool tsl_vm_program_parse(const char *text, tsl_vm_program *program, tsl_err *err);
bool tsl_vm_program_load(const char *path, tsl_vm_program *program, tsl_err *err);

// The most steps that a thread can take: its instructions, START, END, second halves and branches.
unsigned tsl_vm_program_steps(const tsl_vm_program *program);

// How many inputs the thread may ask for.
unsigned tsl_vm_program_inputs(const tsl_vm_program *program, unsigned thread);
bool tsl_vm_program_has_inputs(const tsl_vm_program *program);

// Where the loop begins that ends with the instruction at `pc`; -1 if there is none, or none with a
// step.
int tsl_vm_loop_from(const tsl_vm_code *code, unsigned pc);
bool tsl_vm_program_has_loops(const tsl_vm_program *program);

// Does the instruction name a thread?
bool tsl_vm_names_thread(unsigned op);

// The field that says how many instructions this one jumps over, or NULL.
uint16_t *tsl_vm_skip_of(tsl_vm_ins *ins);

#endif
