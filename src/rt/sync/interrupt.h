// Signals from other threads: when does the handler run?
#ifndef TSLRT_SYNC_INTERRUPT_H
#define TSLRT_SYNC_INTERRUPT_H

#include <stdbool.h>

typedef struct tslrt_fiber tslrt_fiber;

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
