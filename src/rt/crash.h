// Signals that the kernel sends, and signals that end the process.
#ifndef TSLRT_CRASH_H
#define TSLRT_CRASH_H

#include <stdnoreturn.h>

#include "sync/sent.h"

extern const uint64_t tslrt_signals_fatal; // of faults and the like, as a set

void tslrt_crash_install(void);
void tslrt_signals_reset(void);        // handlers as they were before main
void tslrt_out_of_fuel(uint32_t site); // the only thread has made as many accesses as it may

void tslrt_signal_default(int sig);
void tslrt_signal_own(int sig, void (*handler)(int)); // a handler of the runtime's
void tslrt_signal_from_timer(
    int sig); // a timer may send it, whose real clock must not end the process
uint64_t tslrt_signals_deadly(void); // signals that end the process
noreturn void tslrt_signal_kills(int sig, const char *why);
void tslrt_die_by(int sig);
void tslrt_sends(int sig); // the program is about to send it to a process
int tslrt_raise(int sig);  // with the value that tslrt_sent_by was told
// The running thread, which does not block the signal, gets it.
int tslrt_signal_act_on(const tslrt_sent *sent);

#endif
