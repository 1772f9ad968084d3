// Cancellation.
#ifndef TSLRT_SYNC_CANCEL_H
#define TSLRT_SYNC_CANCEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>

typedef struct tslrt_fiber tslrt_fiber;

// Of a thread.
typedef struct tslrt_cancel {
    bool asked;           // a request has come
    bool at_point;        // the pending step is a cancellation point, and cancellation is enabled
    bool disabled, async; // as the thread has set its state and its type
    bool unwinding;       // clean-up handlers run
} tslrt_cancel;

// May the thread be cancelled, was it asked to be, and will it be before any step it takes?
bool tslrt_cancellable(const tslrt_fiber *fiber);
bool tslrt_cancel_wanted(const tslrt_fiber *fiber);
bool tslrt_cancel_strikes(const tslrt_fiber *fiber);
unsigned tslrt_looks(void); // TSL_ARG_LOOKS if the step just recorded looked at the request

// A call that may be cancelled is entered.  It goes on at its site.
void tslrt_cancel_point(void);
void tslrt_cancel_point_of(const char *function); // of libc, by its name
// The step of such a call.  Comes back if the thread is not cancelled.
void tslrt_cancellable_op(unsigned kind, const void *object);
// The same in parts: the thread waits for its turn; returns whether it is to return, if it could,
// though it was asked to end.
void tslrt_cancellable_block(unsigned kind, const void *object, uint32_t site);
bool tslrt_cancel_chosen(bool could_return, unsigned seen);

void tslrt_ask_to_cancel(tslrt_fiber *fiber);
void tslrt_cancel_now(void);
void tslrt_cancel_last_chance(void); // of a request, while cancellation is asynchronous
void tslrt_cancel_defer(void);       // from now on it is not
noreturn void tslrt_unwind(void *result);

#endif
