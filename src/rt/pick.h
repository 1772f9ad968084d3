// Which thread takes the next step?
#ifndef TSLRT_PICK_H
#define TSLRT_PICK_H

#include <stdnoreturn.h>

#include "abi/wire.h"

typedef struct tslrt_fiber tslrt_fiber;

#define TSLRT_POINTS 65536u

// Of a run: the prefix of the Plan.
typedef struct tslrt_prefix {
    const tsl_item *items;
    uint32_t item; // the next one
    uint32_t done; // steps of that item that were taken, if some were
    bool is_over;  // the policy decides from here on
} tslrt_prefix;

// Of a run: the order in which the Plan lets threads go on behind the prefix.
typedef struct tslrt_order {
    const tsl_turn *next, *end; // without those in front whose threads have ended
    const tsl_turn *turn;       // the one that was taken last, or NULL
} tslrt_order;

// Of a run: what the policy knows.
typedef struct tslrt_policy {
    uint32_t stay_count; // steps for which the same thread has run on
    uint32_t stay_limit; // after so many steps the others have a turn
    bool yielded;        // the running thread slept or yielded
    bool samples;        // the policy is a sampler
    bool by_points;      // the sampler is asked at preemption points only, from now on
    bool enabled_one;    // a thread was enabled since the sampler was asked
    // A thread to start at once, and the one to go on after it; NULL: none.
    tslrt_fiber *newborn, *parent;
} tslrt_policy;

// Decides, and grants fuel to the thread that is returned.
tslrt_fiber *tslrt_pick(void);
// No thread can run, so threads before EXIT may.  Returns false if there are none.
bool tslrt_let_exit(void);
void tslrt_policy_begin(void); // a run begins
void tslrt_ends(void);         // the running thread is about to end: others may come first
noreturn void tslrt_diverged(const char *why, unsigned thread); // the Plan can't be followed

// Policies that draw schedules at random: sample.c.
void tslrt_sample_begin(void);
void tslrt_sample_created(const tslrt_fiber *fiber);
// Decides for one of the first n enabled threads, and grants fuel to it.
tslrt_fiber *tslrt_pick_sampled(unsigned n);

#endif
