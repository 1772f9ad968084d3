// Does the run ever end?  Called by handlers of signals, for a run whose time is up.
#ifndef TSLRT_HANG_H
#define TSLRT_HANG_H

#include <stdbool.h>
#include <stdint.h>

// Of the process.
typedef struct tslrt_hanging {
    struct tslrt_hunt *hunt; // for a proof that the run never ends, or NULL
    bool out_of_fuel;        // the only thread has made all the accesses it may
} tslrt_hanging;

struct ucontext_t;
enum tslrt_hang { TSLRT_HANG_UNKNOWN, TSLRT_HANG_PERHAPS, TSLRT_HANG_PROVEN };

// False if nothing can be proven; else the thread goes on and stops behind each instruction.
bool tslrt_hang_begin(struct ucontext_t *context);
enum tslrt_hang tslrt_hang_step(struct ucontext_t *context);
bool tslrt_hang_fault(const void *p); // true if the page was only protected for the proof
void tslrt_hang_stop(struct ucontext_t *context); // the run goes on as it was
uint64_t tslrt_hang_length(void);                 // instructions

#endif
