// Labels: which values depend on inputs?  What the rest of the runtime asks of this folder.
#ifndef TSLRT_SYMBOL_LABELS_H
#define TSLRT_SYMBOL_LABELS_H

#include <stdbool.h>

#include "abi/libc.h"
#include "abi/symbol.h"

// Of a run: inputs.
typedef struct tslrt_inputs {
    const char *text, *end; // the Plan's
    uint32_t first_used;    // first values that are handed out
    bool left;              // something that depends on inputs was written outside
    bool rejected;          // a thread stands before an assumption that does not hold
    bool said_full;         // the census says that no more expressions fit
} tslrt_inputs;

void tslrt_symbols_begin(tsl_expr *nodes, uint32_t max, uint32_t max_branches);
uint32_t tslrt_symbols_count(void);
// Labels of memory that the runtime has copied, or has filled with a byte that has this label.
void tslrt_symbols_copy(void *to, const void *from, uint64_t size);
void tslrt_symbols_fill(void *to, uint32_t label, uint64_t size);
// The program ends with a status that has this label.
void tslrt_symbols_exit(uint32_t label, uint32_t site);

// For functions of the runtime that follow labels: the label of an argument; all of them are taken;
// the label of the result.
uint32_t tslrt_arg_label(const void *self, unsigned place);
void tslrt_args_taken(const void *self);
void tslrt_give_label(const void *self, uint32_t label);
// For those that call functions of the program: the label of the first argument, and of the result.
void tslrt_pass_label(const void *function, uint32_t label);
uint32_t tslrt_take_label(const void *function);
void tslrt_symbols_untaken(void); // labels were given to a function that does not take them

// Inputs that escape.  The runtime reads these bytes, which is not followed; memory has two
// addresses, or inputs in it.
void tslrt_symbols_taken(const void *p, uint64_t size);
void tslrt_symbols_aliased(void);
// A call of a function with this row reads what its row says, perhaps inputs.
void tslrt_symbols_given(const tsl_libc *row, const uint64_t *args);
// A function that does not follow inputs reads these bytes.
void tslrt_symbols_read(const char *name, const void *p, uint64_t size);
// A function of the program has returned something to one that does not follow it.
void tslrt_symbols_unreturned(const char *name);
// Bytes are written to where the program may read them again; the program reads such bytes.
void tslrt_symbols_leave(const void *p, uint64_t size);
void tslrt_symbols_back(void);

#endif
