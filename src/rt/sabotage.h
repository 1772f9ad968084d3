// Rules of the runtime that a test can break, one at a time, to see that the suites notice.
//
// In a runtime built with `-DTSLRT_SABOTAGE`, the environment variable TSLRT_BREAK holds the number
// of the broken rule, read once before main; in any other build TSLRT_BROKEN is always false.
// tests/sabotage_runtime/run.sh makes that build and breaks each rule in turn.  The test named with
// a rule must fail: a program of tests/e2e, a row of tests/objects, or a program of
// tests/io/generate.
#ifndef TSLRT_SABOTAGE_H
#define TSLRT_SABOTAGE_H

enum tslrt_sabotage {
    TSLRT_BREAK_NOTHING,
    TSLRT_BREAK_CHANNELS,       // all pipes are one object; surface/two_pipes
    TSLRT_BREAK_CHANNEL_BITS,   // a pipe can always be read and written; io/abb-a
    TSLRT_BREAK_LIBC_WRITES,    // writes by functions of libc are no accesses; libc/fgets
    TSLRT_BREAK_LIBC_READS,     // reads by functions of libc are no accesses; libc/wcstol
    TSLRT_BREAK_LIBC_STATE,     // hidden state of libc orders nothing; libc/strtok
    TSLRT_BREAK_LIBC_STREAM,    // streams order nothing; libc/stream
    TSLRT_BREAK_FREED_OBJECT,   // a synchronisation object may lie anywhere; objects/mutex_unlock
    TSLRT_BREAK_FREED_WAITING,  // a freed lock that was taken stays taken; bugs/freed_while_waiting
    TSLRT_BREAK_SECTION,        // other threads run inside an atomic section; sections/blocks
    TSLRT_BREAK_SECTION_ACCESS, // accesses in an atomic section are lost; sections/plain_inside
    TSLRT_BREAK_ASM_STEP,       // assembly that may touch anything is no step; spin/asm_opaque
    TSLRT_BREAK_FLOCKFILE, // functions of stdio do not wait for a locked stream; streams/deadlock
    TSLRT_BREAK_CANCEL_POINT, // requests to cancel are not looked for; cancel/testcancel_loop
    TSLRT_BREAK_LAST_CHANCE,  // no request strikes behind the last access; cancel/asynchronous_end
    TSLRT_BREAK_SENT_THEN_BLOCKED, // a signal is lost if blocked late; signals/kill_then_blocked
    TSLRT_BREAK_TIMED_WAIT,        // signals do not end a timed wait; signals/kill_timedwait
    TSLRT_BREAK_POISON,            // freed memory can be used; bugs/use_after_free
    TSLRT_BREAK_RESTORE,           // written pages are not put back; bugs/lost_update
    TSLRT_BREAK_COUNT
};

#ifdef TSLRT_SABOTAGE
extern enum tslrt_sabotage tslrt_sabotage;
#define TSLRT_BROKEN(rule) (tslrt_sabotage == TSLRT_BREAK_##rule)
#else
#define TSLRT_BROKEN(rule) (TSLRT_BREAK_NOTHING == TSLRT_BREAK_##rule)
#endif

#endif
