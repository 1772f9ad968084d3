// Do two runs have the same order?  A cheap test that can prove it, but not disprove it.
//
//     hash(step)  =  a hash of its event, of its thread's step before, and of the last change of
//                    every word it touches; if the step changes a word, also of the reads of that
//                    word since the last change
//     digest      =  a hash of the last hashes of all threads
//
// Two runs with the same digest have the same order (bar hash collisions), because any two steps
// that conflict touch a common word here.  Two runs with different digests may still have the same
// order: every access but a plain or atomic read counts as a change.
//
// A digest takes one pass without clocks, and costs a fraction of what a tsl_history does.
#ifndef TSL_MODEL_DIGEST_H
#define TSL_MODEL_DIGEST_H

#include "model/run.h"

enum { TSL_DIGEST_REACHED = 1024, TSL_DIGEST_EXTENTS = 64 };

// Eight bytes of memory, or an object.
typedef struct tsl_digest_word {
    uint64_t key;
    uint64_t change, reads; // hash of the last change; sum of the hashes of the reads since
    uint64_t run;           // number of the run that this entry belongs to; others are stale
} tsl_digest_word;

typedef struct tsl_digest_thread {
    uint64_t hash; // of its last step
    uint64_t run;  // as for words
} tsl_digest_thread;

typedef struct tsl_digest {
    tsl_digest_word *words; // open addressing
    size_t size, used;
    tsl_digest_thread *threads;
    unsigned top;                         // the highest number of a thread so far
    uint64_t run;                         // number of the current run
    uint64_t all;                         // hash of the steps that are ordered with everything
    uint64_t reached[TSL_DIGEST_REACHED]; // a bit for each word of an object but its first one
    uint64_t extents[TSL_DIGEST_EXTENTS]; // cache of objects whose words are in `reached`
} tsl_digest;

void tsl_digest_init(tsl_digest *digest);
void tsl_digest_drop(tsl_digest *digest);

uint64_t tsl_digest_of(tsl_digest *digest, const tsl_run *run);

#endif
