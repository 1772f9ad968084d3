// What comes with a signal.
#ifndef TSLRT_SYNC_SENT_H
#define TSLRT_SYNC_SENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;

#define TSLRT_MAX_SENT 64

// Of a thread: what comes with the signal that it sends.
typedef struct tslrt_sending {
    int code;
    void *value;
} tslrt_sending;

typedef struct tslrt_sent {
    uint16_t to; // thread + 1; 0: the process
    uint8_t sig;
    int8_t code; // si_code
    void *value;
} tslrt_sent;

bool tslrt_signal_queues(int sig);         // a real-time signal
void tslrt_sent_by(int code, void *value); // what comes with what the running thread sends next
tslrt_sent tslrt_sent_now(int sig);        // that, as it is received
void tslrt_sent_note(const tslrt_fiber *to, int sig);
bool tslrt_sent_take(const tslrt_fiber *to, int sig, tslrt_sent *taken);
void tslrt_sent_tell(const tslrt_sent *sent, void *siginfo);

#endif
