// What samplers remember during a run; the rules are in sample.h.
#ifndef TSL_ABI_SAMPLER_H
#define TSL_ABI_SAMPLER_H

#include "conflict.h"

enum {
    TSL_SAMPLE_ROUND = 256, // threads in one round of rapos; others wait for the next
    TSL_SAMPLE_CHANGES = 16 // of pct
};

// What one thread has, by its number; cleared when it is created.
typedef struct tsl_sample_thread {
    uint64_t priority; // pct, pos; 0: not drawn yet
    uint32_t enabled;  // rapos: in this round it was, last
    uint64_t weight;   // surw: interesting steps left, with those of threads it has yet to create
} tsl_sample_thread;

typedef struct tsl_sample_step {
    tsl_access access;
    uint16_t thread;
} tsl_sample_step;

typedef struct tsl_sampler {
    uint64_t rng[2];
    tsl_sample_thread *threads; // by number
    uint32_t policy;            // enum tsl_policy
    uint64_t picks;
    // pct
    uint64_t changes[TSL_SAMPLE_CHANGES];
    uint32_t nchanges;
    uint64_t lowest; // priority of who dropped last
    // rapos: what runs in this round; those before `next` have
    tsl_sample_step round[TSL_SAMPLE_ROUND];
    uint32_t nround, next;
    uint32_t rounds;
    bool joins_steps; // what nobody else can be in conflict with belongs to the step before
    // surw
    uint64_t interest; // only accesses of these eight bytes are interesting; 0: all are
    uint32_t chosen;   // thread number + 1; 0: nobody
} tsl_sampler;

#endif
