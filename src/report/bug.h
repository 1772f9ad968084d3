// A bug: what a run showed.
//
// Everything that a report, a replay file or a script needs is copied here, because the run's own
// memory is reused at once.  Two runs show the same bug if they have the same signature: the same
// kind and place; for a deadlock the same set of waiting places; for a race the same two places in
// either order.
#ifndef TSL_REPORT_BUG_H
#define TSL_REPORT_BUG_H

#include "model/history.h"
#include "report/locks.h"
#include "report/names.h"

// One of the two accesses of a data race.
typedef struct tsl_race_side {
    uint16_t thread;
    uint32_t site;
    tsl_access access;
    uint8_t order;   // memory_order, of an atomic access
    tsl_locks locks; // held by the thread
} tsl_race_side;

// A step between the two accesses of a race that seemed to order them.
typedef struct tsl_race_link {
    uint16_t thread;
    uint32_t site;
    uint64_t addr;
    uint8_t kind;
    uint8_t order; // memory_order
} tsl_race_link;

typedef struct tsl_bug_input {
    char *name, *value; // tsl_alloc'ed
    uint32_t thread, index;
} tsl_bug_input;

typedef struct tsl_bug {
    const char *kind;     // as in --json
    const char *headline; // "assertion failed"
    char *message;        // one line, never NULL, may be ""
    char *file;           // NULL when unknown
    char *function;       // NULL when unknown
    uint32_t line, column;
    uint32_t outcome; // enum tsl_outcome of the run
    uint16_t thread;  // the thread that did it
    uint64_t signature;

    // The run that shows the bug.
    tsl_plan plan; // repeats the run, step by step
    uint64_t trace_hash;
    uint64_t steps;
    uint64_t executions_to_find; // set by the caller, which counts runs
    char *replay;                // the replay file, NULL until it is written (tsl_alloc'ed)

    // Parts of the run.
    tsl_run run;      // up to the bug; if it is very long, only its last events
    size_t steps_cut; // number of steps before these
    TSL_VEC(tsl_thread_info) threads;
    uint32_t all_threads;
    tsl_block_info block; // addr 0: none
    uint64_t fault_addr, access_size;
    uint64_t leak_bytes;
    uint32_t leak_blocks;
    int32_t exit_status, signal;
    char *output; // the end of the output; zero-terminated, but may contain zero bytes
    size_t output_len;
    uint64_t output_total;

    // The inputs of the run, by name and value.
    TSL_VEC(tsl_bug_input) inputs;

    // Of a race: the two accesses in the order in which they happened.  `threads` and their stacks
    // are those before the accesses.
    bool is_race;
    tsl_race_side race[2];
    // Only weak atomics order the two accesses: `chain` is all steps that seemed to order them.
    bool by_weak_atomics;
    TSL_VEC(tsl_race_link) chain;
} tsl_bug;

typedef TSL_VEC(tsl_bug *) tsl_bugs;

// The bug a run ended with.  `ran` is the Plan that was run.  symbols may be NULL.
tsl_bug *tsl_bug_new(const tsl_run *run, const tsl_plan *ran, const tsl_sites *sites,
                     tsl_symbols *symbols);

// A data race between the steps at two positions of the run, first < second.
// `before` describes the threads when they stood before their accesses; NULL: as in the run.
// `chain` is NULL, or, if only weak atomics order the two accesses, the steps that seemed to order
// them, by their positions.
tsl_bug *tsl_bug_new_race(const tsl_run *run, const tsl_plan *ran, const tsl_sites *sites,
                          tsl_symbols *symbols, size_t first, size_t second,
                          const tsl_trace_head *before, const tsl_step_list *chain);

void tsl_bug_free(tsl_bug *bug);

// Only the signatures, to find out whether a bug is known without copying it.
uint64_t tsl_bug_signature(const tsl_run *run, const tsl_sites *sites, tsl_symbols *symbols);
uint64_t tsl_bug_signature_race(const tsl_sites *sites, uint32_t first_site, uint32_t second_site);

// The place of a side of a race, according to its site or else its thread's stack.
bool tsl_bug_race_where(const tsl_names *names, const tsl_race_side *side, tsl_where *out);

// "read", "volatile write", "atomic read", "free".
const char *tsl_bug_access_word(const tsl_race_side *side);
const char *tsl_bug_kind_word(unsigned kind);
bool tsl_bug_is_volatile(const tsl_bug *bug);
// One access is atomic, the other is not.
bool tsl_bug_is_mixed(const tsl_bug *bug);
// The memory order with a comma, ", relaxed"; "" if the kind has none.
const char *tsl_bug_order_word(unsigned kind, unsigned order);

// The variable or block that both sides access.
void tsl_bug_race_object(const tsl_bug *bug, const tsl_names *names, tsl_buf *out);

// Names for a stored bug.
tsl_names tsl_bug_names(const tsl_bug *bug, const tsl_sites *sites, tsl_symbols *symbols);

#endif
