// How can a model program with loops end?
//
// The graph has every state of the program once.  Here loops do not wait but run, round after round
// (TSL_VM_SPIN_RUNS).  A program may end, or be blocked, or come to a state from which nothing ever
// changes again although threads run.  That is a livelock, unless main only waits for the other
// threads.  (A loop that changes something in every round has no such state.)
#ifndef TSL_VM_GRAPH_H
#define TSL_VM_GRAPH_H

#include "vm/brute.h"

// Fills in the outlines (tsl_vm_outline) of all ends.  Returns false if there are more than `limit`
// states.
bool tsl_vm_graph_ends(const tsl_vm_program *program, size_t limit, tsl_vm_hashes *out);

#endif
