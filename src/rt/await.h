// Loops that only wait: a thread that stands before an AWAIT step goes on when a step of another
// thread may have changed what the loop looks at.
#ifndef TSLRT_AWAIT_H
#define TSLRT_AWAIT_H

#include "abi/hooks.h"
#include "arena.h"

typedef struct tslrt_fiber tslrt_fiber;

typedef struct tslrt_round tslrt_round; // one round of such a loop

static inline tsl_loop *tslrt_loops_of(unsigned id) {
    return (tsl_loop *)TSLRT_LOOPS_AT + id * TSL_LOOPS;
}

void tslrt_loops_update(void);   // decides whether hooks look at loops
bool tslrt_await_any_over(void); // some fiber stands before AWAIT, and could go on
// The fiber stands before AWAIT and may take that step.
bool tslrt_await_enabled(const tslrt_fiber *fiber);
// Some fiber could go on, and no recorded step tells why: lets it.
bool tslrt_await_unexplained(void);
void tslrt_await_update(void);    // sets which of these fibers are enabled
void tslrt_end_if_spinning(void); // no thread can run, and some thread stands before AWAIT

#endif
