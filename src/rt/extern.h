// What calls of libc and of code that is not instrumented touch; see extern.c.  To tell of memory
// or state means to record it as an access of the current step.
#ifndef TSLRT_EXTERN_H
#define TSLRT_EXTERN_H

#include <stdio.h>

#include "abi/hooks.h"
#include "abi/libc.h"

// Of a run: the call of libc through a pointer whose writes are told when it returns.
typedef struct tslrt_open {
    const tsl_extern *callee; // of TSL_HOT->open_call
    uint64_t args[TSL_CALL_ARGS];
} tslrt_open;

// Of a thread: the call of libc that calls functions of the program.
typedef struct tslrt_calling {
    const tsl_event *step;
    uint64_t began; // how many steps were taken then
    uint32_t site;
    struct tslrt_descent *descent; // the tree that it goes through (libc/trees.c), or NULL
} tslrt_calling;

void tslrt_call_leaves(uint32_t site); // the call no longer needs the stream that it held
// A call of a function with this row begins: tells its step, hidden state and reads.  Without any
// of these there is no step, unless the caller has `more` to tell.  True if there was a step.
bool tslrt_libc_begin(const tsl_libc *row, const uint64_t *args, uint32_t site, bool more);
// The call has returned: tells its writes.
void tslrt_libc_end(const tsl_libc *row, const uint64_t *args, uint64_t result, uint32_t site);

// While the call's callbacks ran, has another thread changed what that step tells?  (overtaken.c)
bool tslrt_overtaken(const tsl_event *call);

// The entry of a function that an instrumented object calls or takes the address of, or NULL.
const tsl_extern *tslrt_extern_at(const void *function);

// For functions of the runtime that tell by themselves what they touch: a step, and what the last
// step uses, reads or writes, too.
void tslrt_call_step(uint32_t site);
void tslrt_call_uses(unsigned state, unsigned role); // hidden state of libc
void tslrt_call_looks_at_environment(void);
// A step that uses hidden state of libc (abi/states.def), if that state matters.
void tslrt_state_step(unsigned state, unsigned role);
// Bytes that the last step reads, by what becomes of inputs in them.  reads: the values are taken
// as they are, which weakens the claim.  follows: they are followed, or handled elsewhere.  sends:
// they go where the program may read them again.
typedef void tslrt_teller(const void *p, uint64_t size, uint32_t site);
tslrt_teller tslrt_call_reads, tslrt_call_follows, tslrt_call_sends;
void tslrt_call_writes(const void *p, uint64_t size, uint32_t site);
// Which of the three applies to what a call of this row reads beyond what the row says.
tslrt_teller *tslrt_call_teller(const tsl_libc *row, const uint64_t *args);

// Bytes that the last step may have read or written.
void tslrt_may_touch(const void *p, uint64_t size);

#endif
