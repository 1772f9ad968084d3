// What a receiver is told about a signal: how it was sent, and the value given to sigqueue.
//
// This is kept from when the signal is sent until a handler or sigwaitinfo takes it.  If an
// ordinary signal is on its way already, a second one is lost; real-time signals are queued.
#include <signal.h>
#include <unistd.h>

#include "../notes.h"
#include "../state.h"
#include "../sys.h"
#include "sent.h"

enum { FIRST_REAL_TIME = 34 }; // SIGRTMIN of glibc

bool tslrt_signal_queues(int sig) { return sig >= FIRST_REAL_TIME; }

static uint16_t name_of(const tslrt_fiber *to) { return to ? (uint16_t)(to->id + 1u) : 0; }

static unsigned find(uint16_t to, int sig, unsigned from) {
    unsigned i = from;
    while (i < RUN->signal.nsent &&
           (RUN->tables.sent[i].to != to || RUN->tables.sent[i].sig != sig))
        i++;
    return i;
}

// The running thread sends the signal.  In programs that use sigqueue, the order of senders decides
// what the receiver is told, so their steps are made dependent.
void tslrt_sent_note(const tslrt_fiber *to, int sig) {
    uint16_t name = name_of(to);
    if (tslrt->uses.queues && RUN->count.unjoined > 1)
        tslrt_also(TSL_EV_AWRITE, (const void *)(TSL_SIGNAL_ADDR + name * TSL_SIGNAL_STRIDE + 80),
                   0, 3);
    if (!tslrt_signal_queues(sig) && find(name, sig, 0) < RUN->signal.nsent)
        return;
    if (RUN->signal.nsent == TSLRT_MAX_SENT) {
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "more signals were on their way than the runtime remembers: what was sent "
                     "with them is lost");
        return;
    }
    tslrt_sent *sent = &RUN->tables.sent[RUN->signal.nsent++];
    *sent = tslrt_sent_now(sig);
    sent->to = name;
}

// Returns true if the same signal is queued once more.
bool tslrt_sent_take(const tslrt_fiber *to, int sig, tslrt_sent *taken) {
    unsigned i = find(name_of(to), sig, 0);
    *taken = (tslrt_sent){.sig = (uint8_t)sig};
    if (i == RUN->signal.nsent)
        return false;
    *taken = RUN->tables.sent[i];
    for (RUN->signal.nsent--; i < RUN->signal.nsent; i++)
        RUN->tables.sent[i] = RUN->tables.sent[i + 1];
    return tslrt_signal_queues(sig) && find(name_of(to), sig, 0) < RUN->signal.nsent;
}

// The running thread is about to send a signal, by a call that `code` names, with that value.
void tslrt_sent_by(int code, void *value) {
    if (!SELF)
        return;
    SELF->signal.sends.code = code;
    SELF->signal.sends.value = value;
}

tslrt_sent tslrt_sent_now(int sig) {
    return (tslrt_sent){.sig = (uint8_t)sig,
                        .code = (int8_t)SELF->signal.sends.code,
                        .value = SELF->signal.sends.value};
}

void tslrt_sent_tell(const tslrt_sent *sent, void *siginfo) {
    siginfo_t info = {.si_signo = sent->sig, .si_code = sent->code};
    info.si_pid = getpid();
    info.si_uid = (uid_t)tslrt_sys0(SYS_getuid);
    if (sent->code == SI_QUEUE)
        info.si_value.sival_ptr = sent->value;
    *(siginfo_t *)siginfo = info;
}
