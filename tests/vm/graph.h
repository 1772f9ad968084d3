// How can a model program with loops end?  All its states, each once.
//
// Nothing is known of waiting here: loops run round and round (TSL_VM_SPIN_RUNS).  A program
// may end, or be blocked; or come to states behind which nothing changes any more, for ever,
// though threads run: then it is a livelock, unless main only waits for the others to be done.
// (A loop that changes something in every round has no such state.)
#ifndef TSL_VM_GRAPH_H
#define TSL_VM_GRAPH_H

#include "vm/brute.h"

// Outlines (tsl_vm_outline) of all ends there are.  False: more than `limit` states.
bool tsl_vm_graph_ends(const tsl_vm_program *program, size_t limit, tsl_vm_hashes *out);

#endif
