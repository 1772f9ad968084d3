// What does one step of a model program do?
//
// The machine is the whole state of a run: plain bytes without pointers into itself, so that a
// search can copy, compare and hash it.  As in the runtime, every live thread stands before one
// step whose kind and object are known.  Executing the step appends the events that the runtime
// would record.  The rules are those of src/rt/sync.
//
// Inputs have values in a run; expressions of what depends on them are kept beside (symbol.h).
//
// Here threads are named by their index in the program; events have their numbers.
#ifndef TSL_VM_MACHINE_H
#define TSL_VM_MACHINE_H

#include "trace/plan.h"
#include "vm/program.h"
#include "vm/symbol.h"

enum tsl_vm_phase {
    TSL_VM_UNBORN,
    TSL_VM_AT_START,
    TSL_VM_AT_INIT,   // main, before its own code: semaphores, then barriers
    TSL_VM_AT_CODE,   // before the instruction at pc, or the end
    TSL_VM_WAITING,   // in the queue of a condition
    TSL_VM_RELOCK,    // taken out of the queue, before it locks the mutex again
    TSL_VM_RESIGNAL,  // cancelled though a signal had chosen it: hands the signal on
    TSL_VM_AT_LEAVE,  // arrived at a barrier
    TSL_VM_AT_RETURN, // at the end of a handler
    TSL_VM_AWAITS,    // at the end of a loop that changed nothing; see wait.h
    TSL_VM_REJECTED,  // an assumption does not hold, so the thread stays there
    TSL_VM_ENDED
};

typedef struct tsl_vm_thread {
    uint64_t regs[TSL_VM_REGS];
    uint8_t phase; // enum tsl_vm_phase
    uint8_t pc;
    uint8_t may_give_up; // while it waits
    uint8_t result;      // of a wait, for its register; AT_INIT: objects made; AT_LEAVE: round
    uint8_t joined;
    uint8_t cancel;    // enum tsl_vm_cancel
    uint8_t entered;   // it has entered a call that may be cancelled, and looked for a request
    uint8_t signalled; // in RELOCK: a signal chose it, not a broadcast
    uint8_t signal;    // enum tsl_vm_signal
    uint8_t resume;    // where it goes on after the handler
} tsl_vm_thread;

enum tsl_vm_cancel {
    TSL_VM_ASKED = 1,
    TSL_VM_DISABLED = 2,
    TSL_VM_ASYNCHRONOUS = 4,
    TSL_VM_CANCELLED = 8
};

// The state of the signal that threads send each other (signals.c).
enum tsl_vm_signal {
    TSL_VM_SIG_SENT = 1,     // to the thread, which does not block it
    TSL_VM_SIG_PENDS = 2,    // it was sent while the thread blocked it
    TSL_VM_SIG_BLOCKED = 4,  // the thread's mask blocks it
    TSL_VM_SIG_HANDLED = 8,  // the handler runs
    TSL_VM_SIG_LOOKED = 16,  // the thread has looked at its flag, for its pending step
    TSL_VM_SIG_ENTERED = 32, // its last step was a call of the system
    TSL_VM_SIG_PUT_OFF = 64  // the thread has looked, and takes the signal later
};

// What becomes of a thread whose loop changed nothing?
enum tsl_vm_spinning {
    TSL_VM_SPIN_ENDS,    // it takes no further step
    TSL_VM_SPIN_GOES_ON, // it may go on once something that it read has changed
    TSL_VM_SPIN_RUNS,    // it goes on at once, as C defines it
};

enum { TSL_VM_LOOKS = 12 };

// Something that a loop looked at, and what it saw there.
typedef struct tsl_vm_look {
    uint64_t value;
    uint8_t obj, off, size; // if size is 0: a mutex, of which it saw the owner
} tsl_vm_look;

// What a thread did since it came to the beginning of a loop.
typedef struct tsl_vm_round {
    bool changed; // it changed something, or another thread may have noticed a lock it took
    bool stale;   // a compare-and-swap failed spuriously, so the next round may go differently
    uint8_t held; // locks that it took, one bit each
    uint8_t n;
    tsl_vm_look looks[TSL_VM_LOOKS];
} tsl_vm_round;

typedef struct tsl_vm_machine {
    const tsl_vm_program *program;
    // From here on nothing depends on where things lie.
    tsl_vm_thread threads[TSL_VM_THREADS];
    uint64_t words[TSL_VM_WORDS];
    uint64_t seen_at_exit;           // the word that the handler at exit saw
    uint8_t exit_owner;              // of the lock that is held while that handler runs: thread + 1
    uint32_t serial[TSL_VM_OBJECTS]; // barrier rounds whose serial thread left
    uint8_t owner[TSL_VM_OBJECTS];   // of a mutex: thread + 1
    uint8_t writer[TSL_VM_OBJECTS];  // of a rwlock: thread + 1
    uint8_t reads[TSL_VM_OBJECTS][TSL_VM_THREADS]; // read locks held
    uint8_t queue[TSL_VM_OBJECTS][TSL_VM_THREADS]; // waiters in order of arrival: thread + 1
    uint8_t sems[TSL_VM_OBJECTS];
    uint8_t arrived[TSL_VM_OBJECTS], round[TSL_VM_OBJECTS];
    uint8_t once[TSL_VM_OBJECTS];   // 0 new, 1 running, 2 done
    uint8_t runner[TSL_VM_OBJECTS]; // of its routine: thread + 1
    uint8_t enabled;                // bit per thread
    uint8_t outcome;                // enum tsl_outcome; NONE while it runs
    uint8_t spurious;
    uint8_t status; // of the process, + 1
    // Not part of the state.
    uint8_t spinning; // enum tsl_vm_spinning; may be set once it has begun
    tsl_vm_round rounds[TSL_VM_THREADS];
    uint8_t inputs[TSL_VM_THREADS][TSL_VM_INPUTS];
    tsl_vm_symbols symbols; // must be last
} tsl_vm_machine;

// The inputs of a run.
typedef struct tsl_vm_given {
    uint8_t inputs[TSL_VM_THREADS][TSL_VM_INPUTS];
    bool follows; // expressions of what depends on them are kept
    uint32_t max_branches;
} tsl_vm_given;

// The step a thread stands before.
typedef struct tsl_vm_step {
    uint8_t kind; // enum tsl_event_kind; NONE if it stands before no step
    uint8_t arg;
    uint32_t site;
    uint64_t addr;
    bool looks; // the step looks at the request flag of its thread
    bool tests; // the step looks at the signal flag of its thread, and does more than that
} tsl_vm_step;

// Begins a run.  If `given` is NULL, all inputs are 0 and no expressions are kept.
void tsl_vm_begin(tsl_vm_machine *m, const tsl_vm_program *program, bool spurious,
                  const tsl_vm_given *given, tsl_events *out);
void tsl_vm_copy(tsl_vm_machine *to, const tsl_vm_machine *from);
tsl_vm_step tsl_vm_pending(const tsl_vm_machine *m, unsigned thread);
static inline bool tsl_vm_is_enabled(const tsl_vm_machine *m, unsigned thread) {
    return m->enabled >> thread & 1;
}

// How many alternatives the pending step has; at least 1.
unsigned tsl_vm_choices(const tsl_vm_machine *m, unsigned thread);

// Executes the pending step of a thread, which must be enabled.  Sets `outcome` if the run ends
// with the step.  Appends the step and its notes, and the branches before the thread's next step.
void tsl_vm_execute(tsl_vm_machine *m, unsigned thread, unsigned choice, tsl_events *out);

// Appends the PENDING notes of all live threads.
void tsl_vm_note_pending(const tsl_vm_machine *m, tsl_events *out);

// A hash of everything that is left when the run ends.  A value that depends on inputs counts by
// its expression, not by the number that it happens to be.
uint64_t tsl_vm_state(const tsl_vm_machine *m);

// The same, but only of what loops that changed nothing can't influence: words, and the registers
// of threads that ended.
uint64_t tsl_vm_outline(const tsl_vm_machine *m);

#endif
