// Signals from other threads: when does the handler run?
#ifndef TSLRT_SYNC_INTERRUPT_H
#define TSLRT_SYNC_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;

// Of a thread: the signals that it was sent, and the call that they interrupt.
typedef struct tslrt_interrupted {
    uint64_t sent; // signals that are not delivered yet; bit 0 is signal 1
    bool refused;  // its call was interrupted, and fails
    bool handled;  // a handler ran
    bool puts_off; // it has looked at its signals, and takes them later
    // While a handler runs that came when the thread waited: the step that the thread waits for.
    struct tsl_pending *kept;
} tslrt_interrupted;

bool tslrt_interruptible(const tslrt_fiber *fiber);
void tslrt_interrupt_look(unsigned kind); // before a step of that kind
void tslrt_interrupt_waits(unsigned kind);
unsigned tslrt_interrupt_kind(unsigned kind); // of a step that may wait
void tslrt_interrupt_seen(unsigned kind);
bool tslrt_interrupts_wait(const tslrt_fiber *fiber); // its step reads the signal flag
void tslrt_interrupt(void);             // the thread can't take its step, and was sent a signal
bool tslrt_interrupt_timed(bool found); // a handler has run, and ended the wait
void tslrt_interrupt_blocked(void);     // the mask of the thread has changed
int tslrt_signal_thread(tslrt_fiber *fiber, int sig);

#endif
