// What calls of libc and of code that is not instrumented touch; see extern.c.  To tell of memory
// or state means to record it as an access of the current step.
#ifndef TSLRT_EXTERN_H
#define TSLRT_EXTERN_H

#include <stdio.h>

#include "abi/libc.h"
#include "rt.h"

// Before main, and when a library is loaded.
void tslrt_functions_add(const tsl_module *module);
bool tslrt_is_instrumented(const void *function);
bool tslrt_is_runtime(const void *function); // census.c
bool tslrt_is_of_libc(const void *function); // census.c
void tslrt_constants_find(void);
bool tslrt_is_constant(const void *p); // in memory that the program can't write
void tslrt_states_add(const tsl_libc *row);
void tslrt_variable_add(const tsl_extern *e); // of abi/variables.def
void tslrt_environment_put(const char *text); // putenv: the string stays the program's memory
void tslrt_raw_states(void);                  // the program has raw system calls (libc/syscall.c)

void tslrt_call_leaves(uint32_t site); // the call no longer needs the stream that it held
// A call of a function with this row begins: tells its step, hidden state and reads.  Without any
// of these there is no step, unless the caller has `more` to tell.  True if there was a step.
bool tslrt_libc_begin(const tsl_libc *row, const uint64_t *args, uint32_t site, bool more);
// The call has returned: tells its writes.
void tslrt_libc_end(const tsl_libc *row, const uint64_t *args, uint64_t result, uint32_t site);

// The entry of a function that an instrumented object calls or takes the address of, or NULL.
const tsl_extern *tslrt_extern_at(const void *function);

// Code that is neither instrumented nor described (foreign.c): it is called; it is about to be
// called back; a function of libc with these arguments may call it back; it is, or starts, a
// thread.
void tslrt_foreign_call(const void *function, const char *name, uint32_t pointers, uint32_t site);
bool tslrt_is_foreign(const void *function);
void tslrt_foreign_back(const void *function, uint32_t site);
void tslrt_foreign_handed(const uint64_t *args, uint32_t site);
void tslrt_foreign_starts(const void *start, uint32_t site);
static inline void tslrt_foreign_thread(const void *start, uint32_t site) {
    if (start != tslrt->known_start || RUN->foreign_function)
        tslrt_foreign_starts(start, site);
}

// For functions of the runtime that tell by themselves what they touch: a step, and what the last
// step uses, reads or writes, too.
void tslrt_call_step(uint32_t site);
void tslrt_call_uses(unsigned state, unsigned role); // hidden state of libc
void tslrt_call_looks_at_environment(void);
bool tslrt_state_matters(unsigned state); // the program calls a function that changes it
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

bool tslrt_is_output(const FILE *file);

// symbol/escape.c: a call of a function with this row reads what its row says, perhaps inputs.
void tslrt_symbols_given(const tsl_libc *row, const uint64_t *args);
// A function that does not follow inputs reads these bytes.
void tslrt_symbols_read(const char *name, const void *p, uint64_t size);
// A function of the program has returned something to one that does not follow it.
void tslrt_symbols_unreturned(const char *name);
// Bytes are written to where the program may read them again; the program reads such bytes.
void tslrt_symbols_leave(const void *p, uint64_t size);
void tslrt_symbols_back(void);

#endif
