// Hidden state of libc: which accesses does a call make that its arguments do not show?
#ifndef TSLRT_HIDDEN_H
#define TSLRT_HIDDEN_H

#include <stdio.h>

#include "abi/hooks.h"
#include "abi/libc.h"

enum { TSLRT_MAX_VARIABLES = 32 };

// A variable of libc (abi/variables.def).
typedef struct tslrt_variable {
    const void *at;
    uint8_t size, state;
    bool changes; // libc stores into it
} tslrt_variable;

// Of the process: which hidden state of libc matters to the program.
typedef struct tslrt_hidden {
    uint8_t roles[64];  // a bit for each role in which the program's functions use a state
    bool redirects;     // standard output may be changed
    bool gives_names;   // files may be given other names
    bool tells_numbers; // the program sees what number a stream's descriptor has
    unsigned nvariables;
    tslrt_variable variables[TSLRT_MAX_VARIABLES]; // of libc, that the program names
} tslrt_hidden;

// What the program calls and names, before main and when a library is loaded: a function with this
// row; a variable of abi/variables.def.
void tslrt_states_add(const tsl_libc *row);
void tslrt_raw_states(void); // libc/syscall.c: all rows of raw system calls
void tslrt_variable_add(const tsl_extern *e);

static inline bool tslrt_uses_stream(const tsl_libc_use *use) {
    return use->state == TSL_USE_IN || use->state == TSL_USE_OUT || use->state == TSL_USE_MOVES ||
           use->state == TSL_STATE_STREAM;
}
bool tslrt_state_matters(unsigned state); // the program calls a function that changes it
bool tslrt_is_output(const FILE *file);
void tslrt_environment_put(const char *text); // putenv: the string stays the program's memory
// libc/environment.c: the nth value of environment variables that a call reads, or NULL.  All such
// calls read the names, too: see extern.c.
const char *tslrt_environment_value(const tsl_libc *row, const uint64_t *args, unsigned n);

// One access of a step.  They are gathered first, because a call without any is no step.
typedef struct hidden_access {
    uint64_t at, size;
    uint8_t kind, role;
} hidden_access;

typedef struct accesses {
    hidden_access list[16];
    unsigned n;
} accesses;

// Leaves out what is in the list already.
void accesses_add(accesses *to, unsigned kind, uint64_t at, uint64_t size, unsigned role);
// State that does not matter to the program is left out.
void accesses_add_state(accesses *to, unsigned state, unsigned role);
// What one use of a row says, in a call with these arguments.
void accesses_add_use(accesses *to, const tsl_libc_use *use, const uint64_t *args);
// The stream that a use names: an argument, or one of the standard streams.
FILE *accesses_stream(unsigned arg, const uint64_t *args);

#endif
