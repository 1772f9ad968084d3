// Cheap proof that two Traces are the same partial order.
//
//     hash(step)  =  the event, the hash of its thread's step before, and of the last
//                    change of every word it touches; of a change also of the reads since
//     digest      =  the last hashes of all threads
//
// Two Traces with one digest have the same partial order (bar collisions), because
// everything that conflicts meets in some word here.  The other direction does not hold: whatever
// is no plain or atomic read counts as a change, so some equal orders have different digests.
// One pass without clocks: a fraction of what a tsl_history costs.
#ifndef TSL_MODEL_DIGEST_H
#define TSL_MODEL_DIGEST_H

#include "model/run.h"

enum { TSL_DIGEST_REACHED = 1024, TSL_DIGEST_EXTENTS = 64 };

typedef struct tsl_digest_word {
    uint64_t key;
    uint64_t change, reads;
    uint64_t run; // of which run this is
} tsl_digest_word;

typedef struct tsl_digest_thread {
    uint64_t hash;
    uint64_t run;
} tsl_digest_thread;

typedef struct tsl_digest {
    tsl_digest_word *words; // open addressing
    size_t size, used;
    tsl_digest_thread *threads;
    unsigned top; // the highest number of a thread
    uint64_t run, all;
    uint64_t reached[TSL_DIGEST_REACHED]; // a bit for each word behind the first one of an object
    uint64_t extents[TSL_DIGEST_EXTENTS]; // objects whose words were marked last
} tsl_digest;

void tsl_digest_init(tsl_digest *digest);
void tsl_digest_drop(tsl_digest *digest);

uint64_t tsl_digest_of(tsl_digest *digest, const tsl_run *run);

#endif
