// State of the runtime, and what its files offer each other.
//
// The runtime lives in a stranger's process.  It keeps nothing in .data or .bss:
// the in-place restart puts those back.  All its state is in one mapping at a
// fixed address, in three lifetimes:
//
//     tslrt        the process: modes, the shared file, the snapshot
//     tslrt->run   one run: copied from `fresh` when a run starts
//     tslrt_fiber  one thread of one run
//
// One kernel thread, so nothing here is atomic.
#ifndef TSLRT_RT_H
#define TSLRT_RT_H

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdnoreturn.h>

#include "abi/hooks.h"
#include "policy/picker.h"
#include "sabotage.h"

// ---------------------------------------------------------------- threads

enum fiber_state { FIBER_UNUSED, FIBER_LIVE, FIBER_ENDED };

#define TSLRT_NOBODY 0xffffu
#define TSLRT_MAX_HELD 48
#define TSLRT_MAX_KEYS 1024
// Accesses of an only thread are no steps, but they are bounded too.
#define TSLRT_SOLO_FACTOR 100

typedef tsl_pending pending;

typedef struct tslrt_round tslrt_round; // await.c

#define TSLRT_MAX_POLL 64

// What an IO step waits for: any of these descriptors.
struct pollfd;
typedef struct tslrt_io {
    const struct pollfd *fds;
    unsigned long n;
    bool ends;                        // a handler ends the wait, even one with SA_RESTART
    bool (*ready)(const void *about); // instead of descriptors; or NULL
    const void *about;
} tslrt_io;

#define TSLRT_MAX_CHANNELS 128
#define TSLRT_MAX_CHILDREN 64
#define TSLRT_NUMBERED 256

// A pipe, or one direction of a pair of sockets: libc/channel.c.
typedef struct tslrt_channel {
    uint64_t read_inode, write_inode; // of its ends
    uint64_t name;
    int in, out; // descriptors of its ends, as far as is known
    uint8_t bits;
    uint8_t kind;   // of enum tslrt_numbered; 0: it is known by descriptors
    int id, number; // of a semaphore or queue of System V
    bool is_event;  // an event descriptor: both ends are one
    bool watched;   // by epoll: in which order channels became ready can be seen
} tslrt_channel;

// A thread of the program.  Its address is its pthread_t.  What every switch needs comes
// first: threads are a kilobyte apart, and many of them do not fit the nearest cache.
typedef struct tslrt_handling { // on the stack of its thread
    struct tslrt_handling *outer;
} tslrt_handling;

typedef struct tslrt_fiber {
    void *sp; // saved when not running
    pending pend;
    uint16_t id, parent, index, children;
    uint16_t place;     // in tslrt->fibers
    int16_t enabled_at; // place in tslrt->enabled
    uint8_t state;      // enum fiber_state
    bool enabled;
    bool detached, joined, started;
    uint16_t exclusive; // how deep it is in atomic sections
    bool has_joiner;    // somebody may be in pthread_join for it
    bool stuck;         // waits for ever: stuck.c
    bool ready_at_exit; // could have run when the process ended
    bool cancel_asked;
    bool at_cancel_point;  // the pending step is one, and cancellation is enabled
    int saved_errno;       // while another thread runs, if all threads share what libc keeps
    uintptr_t area;        // its thread pointer: area.c
    uint64_t signals;      // sent to it and not delivered yet
    int64_t own_steps;     // without those since RUN->switched_at, if it runs
    uintptr_t low_mark;    // lowest stack address known to be used in this run
    tsl_event *effect_at;  // TSL_HOT's, while another thread runs
    uint32_t called_at;    // site of the call of libc that calls functions of the program
    uint64_t called_in;    // and how many steps were taken when it began
    const tsl_event *call; // its step
    struct tslrt_descent *descent; // and the tree it goes through: trees.c
    pending *kept;      // while a handler runs that came when it waited: the step it waits for
    bool refused;       // its call was interrupted, and fails
    uint64_t mask;      // signals it blocks; bit 0 is signal 1
    uint64_t pending;   // sent to it and blocked
    void *signal_stack; // what it told sigaltstack, or NULL
    size_t signal_stack_size;
    uint64_t awaited; // it is in sigwait for one of these
    bool interrupted; // a handler ran
    bool puts_off;    // it has looked at its signals, and takes them later
    bool suspended;   // in sigsuspend, which ends by a signal from its first step on
    bool swaps_mask;  // and the next handler that returns puts back the mask it had before
    uint64_t mask_before;
    struct tslrt_handling *handling; // innermost handler of a signal that runs, or NULL
    int sends_code;                  // what comes with the signal that it sends
    void *sends_value;

    uintptr_t stack_low, stack_high; // mapped
    void *(*start)(void *);
    void *arg, *result;
    uint64_t clock_ns; // its virtual time
    fenv_t
        floating; // its modes of floating point while another thread runs, if the program changes them
    bool cancel_disabled, cancel_async, unwinding;
    int policy, priority;      // told by the program, and of no effect
    uint16_t nheld, held_lost; // lost: had no room, so nothing can be said about what it holds

    // condition variables
    pthread_cond_t *waits_for; // in whose queue it is
    pthread_mutex_t *wait_mutex;
    bool timed;       // its step is a timed wait for a semaphore
    bool may_give_up; // timed, or spurious wake-ups are on
    bool signalled;   // it was taken out of the queue by a signal, not by a broadcast
    uint64_t wait_ticket;
    const void *futex; // the word in whose queue it is
    const tslrt_io *io;
    void *stream;        // that it holds while libc works on it (libc/lockfile.c); or NULL
    uint16_t channels;   // that it has made
    tslrt_channel *used; // by the IO step it is in, through that descriptor; or NULL
    int used_fd;
    void *barrier; // the one it has arrived at
    uint32_t round;
    bool released;       // from a barrier
    bool may_be_serial;  // nobody of its round has left yet
    bool ignores_serial; // the caller does not look at what pthread_barrier_wait returns

    tslrt_round *spun; // before AWAIT: the one that changed nothing

    // sleep sets
    const tsl_event *sleeps_before; // the step, in the Plan; NULL: awake
    uint16_t arrived_before;        // at the barrier it will arrive at, while it sleeps

    void *cleanup; // innermost struct of pthread_cleanup_push

    uint32_t ninputs;                 // asked for so far
    uint32_t arg_label, result_label; // of what it is started with, and what it returns

    uint16_t idle;       // sleeps and yields since somebody stood before EXIT
    uint32_t sync_epoch; // grows at every synchronisation
    uint32_t filter;     // number of its table of repeated accesses; 0: it leaves out none
    void **keys;         // thread-specific values, 0 until used
    uintptr_t tls_top;   // emulated TLS: next free byte, 0 until used
    uintptr_t tls_end;
    uint32_t tls_count;
    char name[16];
    void *held[TSLRT_MAX_HELD]; // mutexes and locks it holds, oldest first
} tslrt_fiber;

// ---------------------------------------------------------------- one run

#define TSLRT_MAX_ATEXIT 128
#define TSLRT_MAX_SEMS 64
#define TSLRT_MAX_MAPS 1024
#define TSLRT_MAX_FILES 64
#define TSLRT_MAX_TIMERS 32
#define TSLRT_MAX_CLOCKS 16
#define TSLRT_MAX_SENT 64

typedef struct tslrt_sent { // sync/sent.c
    uint16_t to;            // thread + 1, or 0: the process
    uint8_t sig;
    int8_t code; // si_code
    void *value;
} tslrt_sent;
#define TSLRT_MAX_FLOCKS 16

typedef struct named_sem {
    char name[64];
    uint64_t sem[4]; // a sem_t
    uint32_t opens;
    bool unlinked, used;
} named_sem;

typedef struct key_slot {
    void (*destroy)(void *);
    bool used;
} key_slot;

typedef struct file_lock { // lockfile.c
    const void *file;      // the stream; NULL: free
    pthread_mutex_t mutex;
    pthread_mutex_t *piped; // of a stream of piped.c, instead of the other; else NULL
    const void *foreign;    // a function of it that is not instrumented, or NULL
} file_lock;

typedef struct flock_slot { // libc/flock.c
    bool used, records;     // records: of fcntl and lockf
    uint64_t device, inode;
    pthread_mutex_t lock;
    pthread_cond_t given_back;
} flock_slot;

union sigval;
typedef struct timer_slot { // libc/timer.c
    bool used, period;
    uint32_t setting; // how often it was set or deleted
    void (*notify)(union sigval);
    void *value;
    pthread_mutex_t lock;
} timer_slot;

typedef struct exit_call {
    void (*call)(void *);
    void *arg;
    uint8_t kind; // 0: call(arg), 1: on_exit, 2: at_quick_exit
} exit_call;

// What the atomic section that is being run has accessed; see sync/exclusive.c.
#define TSLRT_KEPT 16
typedef struct tslrt_kept {
    uintptr_t addr;
    uint64_t size;
    uint64_t old; // what was there, up to eight bytes
    uint8_t kind;
} tslrt_kept;

typedef struct tslrt_exclusive {
    tsl_event *event; // of its step; NULL: none is open
    uint64_t count;
    unsigned n;
    bool lost;                   // more than there was room for
    tslrt_kept kept[TSLRT_KEPT]; // the last field, see tslrt_run
} tslrt_exclusive;

#define TSLRT_MAX_NAMELESS 32
#define TSLRT_MAX_MADE 32
#define TSLRT_STREAM_NAMES 16
#define TSLRT_MAX_DEVICES 8

// Memory of the program that a stream uses; see libc/buffers.c.
enum { TSLRT_MAX_BUFFERS = 16 };
typedef struct tslrt_buffer {
    const void *file;
    const void *at; // so many bytes
    uint64_t size;
    void **text; // or NULL; else the memory is where this says, as many elements as `length` says
    size_t *length;
    uint64_t element; // bytes of each
} tslrt_buffer;

// Of libm, which a program that changes the modes of floating point is linked with.
extern int fegetenv(fenv_t *modes) __attribute__((weak));
extern int fesetenv(const fenv_t *modes) __attribute__((weak));

// A variable of libc (abi/variables.def).
typedef struct tslrt_variable {
    const void *at;
    uint8_t size, state;
    bool changes; // libc stores into it
} tslrt_variable;

enum { TSLRT_MAX_VARIABLES = 32, TSLRT_MAX_PUT = 8 };

enum { TSLRT_MAX_IPC = 64 };
typedef struct tslrt_ipc { // libc/ipc.c
    long control, id;
} tslrt_ipc;

// A limit of a resource that the program has set, and that the kernel does not hear of.
enum { TSLRT_LIMIT_FSIZE, TSLRT_LIMIT_AS, TSLRT_LIMIT_DATA, TSLRT_LIMIT_CPU, TSLRT_LIMITS };
typedef struct tslrt_limit {
    uint64_t soft, hard;
    bool is_set;
} tslrt_limit;

typedef struct tslrt_run {
    const tsl_plan_head *plan;
    const tsl_item *items;
    const tsl_event *sleep;            // the Plan's
    const tsl_event *checked;          // up to here sleepers have seen what happened
    const tsl_turn *order, *order_end; // the Plan's, behind those in front that are through
    const tsl_turn *turn;              // whose it was last; may be NULL
    const char *inputs, *inputs_end;   // the Plan's
    tsl_trace_head *trace;
    tsl_event *first, *limit;
    uint32_t item;
    uint32_t item_done; // steps of it that were run, if not all at once
    bool in_tail;       // the prefix is used up
    bool filters;       // a thread that has taken many steps leaves out repeated accesses
    bool uneven;        // what is recorded may differ between threads: each switch looks at that
    bool ending;
    bool inputs_left; // something that depends on inputs was written outside
    bool rejected;    // somebody stands before an assumption that does not hold
    bool said_full;   // that no more expressions fit
    bool before_step; // the run ended while the running thread stood before its step

    int64_t until;       // steps executed = until - hot.fuel
    int64_t beyond;      // fuel that was granted and held back
    int64_t ask_at;      // behind so many steps a filter may start, or the run is too long
    int64_t switched_at; // the number of the first step of the running thread since it was picked
    uint32_t nfilters;   // tables in use
    uint32_t stay_count;
    bool policy_yield;             // the running thread slept or yielded
    bool sampled;                  // the policy is a sampler
    bool by_points;                // the sampler is asked at preemption points only, from now on
    bool enabled_one;              // a thread was enabled since the sampler was asked
    tslrt_fiber *newborn, *parent; // to start at once, and to go on after it; NULL: none

    tslrt_fiber *self;
    uint16_t nfibers, nlive, nenabled;
    uint16_t unjoined; // threads that are not joined, dead or alive
    uint16_t nsleeping;
    uint16_t nawaiting; // before AWAIT
    bool has_async; // some thread's cancellation was asynchronous, or signals may come at any step
    tslrt_fiber *exiting;

    unsigned moment;        // of waiting for what comes from outside (sync/patience.c)
    int next_timer;         // a descriptor that somebody waits for then; -1: none
    uint64_t next_timer_ns; // when it expires
    bool queues;            // a queue of POSIX was opened
    uint16_t npiped;        // streams of libc/piped.c that are open

    uint64_t tickets;
    uint64_t random_state;     // of rand and its like
    uint64_t pending;          // signals sent to the process that all threads block
    uint64_t signalfd;         // signals that a descriptor was opened for
    volatile uint64_t arrived; // signals from outside, not handed on yet
    volatile bool patient;     // nobody can run: signals wait in `arrived`
    unsigned process; // tells the threads of a child process from those of the run, where it is 0
    char **envp;      // what main is given
    uint32_t first_used;                            // first values of inputs that are handed out
    bool had_children;                              // has, or had, processes that came of it
    unsigned temporaries;                           // files made under names that are counted
    tslrt_limit limits[TSLRT_LIMITS];               // that the program has set (libc/limits.c)
    unsigned nipc;                                  // in ipc
    unsigned nnameless, nmade, nchannels, nbuffers; // entries of the tables at the end
    unsigned nsent, nclocks;                        // and of these
    uint64_t default_attributes[7];                 // of new threads: sync/thread.c
    int concurrency;                                // a hint the program may set and read back
    uint32_t flags;                                 // enum tsl_trace_flag
    bool exit_running;                              // EXIT was taken: only `exiting` runs
    pthread_mutex_t exit_lock;                      // held by the thread that calls what exit calls
    tslrt_fiber *exit_caller;                       // which that is, or NULL
    bool destructed;                                // destructors were called
    uint16_t nleaving;                              // threads that end and are not the last
    bool faulted; // the running thread's object can't be looked at

    // extern.c
    const tsl_extern *open_extern; // of TSL_HOT->open_call
    bool zone_known;               // libc has looked for the time zone
    char *random_memory;           // what initstate or setstate was given last, or NULL
    size_t random_size;
    struct random_data random_data;
    unsigned nput;
    const char *put[TSLRT_MAX_PUT]; // texts that putenv was given
    const char *strtok_rest;        // where strtok goes on; libc/kept.c
    struct {
        const void *file;
        uint64_t object;
    } streams[TSLRT_STREAM_NAMES]; // what was found out of them last: libc/stream.c
    const char *log_name;          // what openlog was given, or NULL
    uint64_t table[2];             // of hsearch: a struct hsearch_data
    uint64_t open_args[TSL_CALL_ARGS];

    bool aliased; // memory has two addresses (libc/mapping.c)

    // foreign.c: the last call of code that nobody knows; NULL and 0 if there was none
    const void *foreign_function;
    const char *foreign_name; // NULL if it was called through a pointer
    uint32_t foreign_site;

    tslrt_exclusive exclusive;
    // From exclusive.kept on: tables whose entries behind those that are counted nobody reads, so they are put
    // back only if there are any (run.c).
    uint64_t nameless[TSLRT_MAX_NAMELESS]; // inodes of pipes and their like that were looked at,
                                           // see libc/varies.c
    struct {
        uint64_t device, inode;
    } made[TSLRT_MAX_MADE]; // files that this run has made
    tslrt_channel channels[TSLRT_MAX_CHANNELS];
    tslrt_ipc ipc[TSLRT_MAX_IPC]; // objects of System V that this run made
    uint8_t reads_from[TSLRT_NUMBERED], writes_to[TSLRT_NUMBERED]; // by descriptor: channel + 1
    tslrt_buffer buffers[TSLRT_MAX_BUFFERS];                       // libc/buffers.c
    tslrt_sent sent[TSLRT_MAX_SENT]; // signals on their way, oldest first
    struct {
        void *timer;
        int sig;
    } clocks
        [TSLRT_MAX_CLOCKS]; // timers of the kernel's that the program has made, and what they send
} tslrt_run;

// A mapping that the program made (libc/mapping.c).
typedef struct tslrt_mapping {
    uintptr_t addr;
    size_t len;                     // 0 if it was unmapped
    uint64_t device, inode, offset; // 0 if no file is behind it; the device is one higher
    bool shared;                    // with processes that are forked
    bool changes;                   // stores into it change the file
} tslrt_mapping;

// What the program registers with the runtime.  Large, so it is put back only
// after a run that touched it.
typedef struct tslrt_registry {
    bool touched;
    uint32_t nexit;
    exit_call exits[TSLRT_MAX_ATEXIT];
    key_slot keys[TSLRT_MAX_KEYS];
    named_sem sems[TSLRT_MAX_SEMS];
    file_lock files[TSLRT_MAX_FILES];
    timer_slot timers[TSLRT_MAX_TIMERS];
    flock_slot flocks[TSLRT_MAX_FLOCKS];
    uint32_t nmaps, nfilemaps;
    tslrt_mapping maps[TSLRT_MAX_MAPS];
    struct {
        void (*handler)(int);
        uint64_t flags, mask;
        bool from_timer; // a timer of the program's may send it
    } signal_actions[65];
    uint64_t handled; // signals that have a handler; bit 0 is signal 1
} tslrt_registry;

// ---------------------------------------------------------------- the process

enum tslrt_kind {
    RT_EARLY,  // before main: nothing is controlled
    RT_ALONE,  // an ordinary program under a fair schedule
    RT_REPLAY, // alone, following TEASEL_REPLAY
    RT_SERVED, // driven by the tool
    RT_CHILD   // forked by the program: nothing is controlled any more
};

typedef struct heap_slot {
    uintptr_t bump;           // next free byte of this run
    uintptr_t mapped;         // end of what is mapped
    uintptr_t free_lists[32]; // freed blocks by size class, used once the slice is crowded
    uintptr_t free_tails[32];
} heap_slot;

#define TSLRT_PARKED_COUNTS 256
#define TSLRT_READABLE 64
#define TSLRT_LIBRARIES 128

typedef struct tslrt_library { // its code
    uintptr_t low, high;
    bool is_libc; // or a library that libc loads for itself
} tslrt_library;
#define TSLRT_POINTS 65536u
#define TSLRT_MAX_CONSTANTS 128
#define TSLRT_FOREIGN_TOLD 64

typedef struct tslrt_area { // area.c
    bool used;              // threads have areas of their own; all else is 0 if not
    uintptr_t pointer;      // the thread pointer of the process, and of main
    uintptr_t from, to;     // what lies around it and is copied
    uintptr_t low, high;    // with the gap, in whole lines of the cache
    size_t room;            // bytes above each stack: all that, and the vector
    uint32_t nvector;       // entries of a fiber's vector
    uint32_t nlocal;        // libraries that have thread-local variables
    uint64_t nlibraries;    // loaded before main
    bool quick;             // the thread pointer can be set without the kernel
} tslrt_area;

typedef struct tslrt_state {
    uint8_t kind; // enum tslrt_kind
    bool in_place;
    struct tslrt_hunt *hunt; // for a proof that the run never ends, or NULL
    bool out_of_fuel;        // the only thread has made all the accesses it may
    tsl_wire *wire;
    uint32_t seq;
    void *loop_sp; // context of the loop that starts runs
    int *errno_at; // main's
    tslrt_area area;
    int (*main)(int, char **, char **);
    int argc;
    char **argv, **envp;
    tsl_module *modules;
    uint32_t nsites;
    int32_t pid;        // what getpid returns
    int32_t tested_pid; // in a child of the program: the real number of the process that is tested
    tsl_trace_head *tested_trace; // and its Trace, if the tool reads it
    struct timespec born;         // the real time before the first run, as stamps of files have it
    uint64_t loaded;              // libraries that were loaded before the first run
    bool late_page;               // the restart missed one
    bool said_left;               // that threads were left when the program ended
    bool moved_from_outside;      // memory may change though no thread takes a step
    bool cancels;                 // the program calls pthread_cancel
    bool deletes_keys;            // ... pthread_key_delete or tss_delete
    bool detaches;                // ... pthread_detach or thrd_detach
    bool locks_files;             // and flockfile or ftrylockfile
    bool wide;                    // and functions that make a stream one of wide characters
    bool ends_threads;            // and pthread_exit or thrd_exit
    bool kills;                   // and pthread_kill
    bool kills_itself;            // and kill
    bool queues;                  // it sends values with signals
    uint64_t called_early; // a bit for each function of externs.def that a constructor called
    bool sends;            // so signals to other threads
    bool swaps_floating; // it changes the modes of floating point, which each thread has its own of
    const char *alone_inputs; // of a replay without the tool, or NULL
    // extern.c
    uint32_t nfunctions; // in the table of instrumented ones
    uint8_t state_roles
        [64]; // of each hidden state: in which roles the program's functions use it, a bit each
    bool redirects;          // standard output may be changed
    bool gives_names;        // or gives files other names
    bool tells_numbers;      // the program sees what number a stream's descriptor has
    const void *known_start; // of the last thread whose code is not foreign
    uint32_t npoints;        // of coverage
    uint32_t npoints_known;  // of the log of preemption points
    int last_fd;             // of the runtime's own
    uint32_t ndevices;
    struct {
        uint64_t number;
        bool of_system;
    } devices[TSLRT_MAX_DEVICES]; // of files that were opened (libc/varies.c)
    char *leak_memory;

    // What every run touches lies together: in a forked process each page of it is copied.
    tslrt_run run;
    tslrt_registry registry;
    tsl_picker picker;
    uint16_t parked_count[TSLRT_PARKED_COUNTS];
    uint16_t fibers[TSL_MAX_THREADS / 2]; // of this run: numbers in creation order
    // Object of the step each of them stands before, if it has been switched away from: dense,
    // because every change of an object looks through it.
    const void *parked_at[TSL_MAX_THREADS / 2];
    unsigned nvariables;
    tslrt_variable variables[TSLRT_MAX_VARIABLES]; // of libc, that the program names
    unsigned nconstants;
    struct {
        uintptr_t low, high;
    } constants[TSLRT_MAX_CONSTANTS];             // memory that can't be written
    const void *foreign_told[TSLRT_FOREIGN_TOLD]; // functions of foreign.c that were named
    uint32_t nlibraries;
    tslrt_library libraries[TSLRT_LIBRARIES];
    uintptr_t readable[TSLRT_READABLE];    // numbers of pages that were seen to be mapped, hashed
    uint64_t words[TSL_MAX_THREADS];       // of the picker
    uint8_t points[TSLRT_POINTS];          // sites that are preemption points, hashed
    uint16_t enabled[TSL_MAX_THREADS / 2]; // those that can be scheduled, in any order

    // As they were before main.
    tslrt_run fresh;
    tslrt_registry fresh_registry;
    tslrt_fiber main_fresh;
    heap_slot heap_fresh;
} tslrt_state;

#define tslrt ((tslrt_state *)TSL_ARENA_ADDR)
#define RUN (&tslrt->run)
#define SELF (tslrt->run.self)

static inline tslrt_registry *tslrt_reg(void) // for reading
{
    return &tslrt->registry;
}

static inline tslrt_registry *tslrt_reg_change(void) {
    tslrt->registry.touched = true;
    return &tslrt->registry;
}

// Areas of the arena.
#define TSLRT_OUTSIDE_AT (TSL_ARENA_ADDR + 0x1000000ul)
#define TSLRT_OUTSIDE_SIZE 0x1000000ul
#define TSLRT_SLOTS_AT (TSL_ARENA_ADDR + 0x2000000ul)
#define TSLRT_LOOPS_AT (TSL_ARENA_ADDR + 0x2800000ul)
#define TSLRT_FUNCTIONS_AT (TSL_ARENA_ADDR + 0x3100000ul)
#define TSLRT_FUNCTIONS_SIZE 0x200000ul
#define TSLRT_ALTSTACK_AT (TSL_ARENA_ADDR + 0x3800000ul)
#define TSLRT_ALTSTACK_SIZE 0x20000ul
#define TSLRT_RESTART_AT (TSL_ARENA_ADDR + 0x4000000ul)
#define TSLRT_KEYS_AT (TSL_ARENA_ADDR + 0x8000000ul) // TSLRT_MAX_KEYS words per thread, sparse
#define TSLRT_FILTERS_AT                                                                           \
    (TSL_ARENA_ADDR + 0xc000000ul) // a table for each thread that leaves out accesses
#define TSLRT_FILTER_SIZE 0x80000ul
#define TSLRT_MAX_FILTERS 63
#define TSLRT_FILTER_AFTER 32768                       // steps of one thread
#define TSLRT_EVENTS_AT (TSL_ARENA_ADDR + 0xe000000ul) // when nobody reads them
#define TSLRT_EVENTS_ROOM 32768
#define TSLRT_TRACE_AT (TSL_ARENA_ADDR + 0xf000000ul)
#define TSLRT_ZERO_AT (TSL_ARENA_ADDR + 0xff00000ul) // a page that stays zero

_Static_assert(sizeof(tslrt_fiber) <= TSL_FIBER_STRIDE, "a fiber fits its place");
_Static_assert(sizeof(tslrt_state) <= 0x400000, "the state fits its place");

static inline tslrt_fiber *tslrt_fiber_at(unsigned id) {
    return (tslrt_fiber *)(TSL_FIBERS_ADDR + id * TSL_FIBER_STRIDE);
}

static inline heap_slot *tslrt_slot(unsigned id) { return (heap_slot *)TSLRT_SLOTS_AT + id; }

static inline tsl_loop *tslrt_loops_of(unsigned id) {
    return (tsl_loop *)TSLRT_LOOPS_AT + id * TSL_LOOPS;
}

// True when somebody will read the events.
static inline bool tslrt_watched(void) {
    return tslrt->kind == RT_SERVED || tslrt->kind == RT_REPLAY;
}

// Where the current call comes from; 0 in uninstrumented code.  Taken once.
static inline uint32_t tslrt_take_site(void) {
    uint32_t site = TSL_HOT->call_site;
    TSL_HOT->call_site = 0;
    return site;
}

// ---------------------------------------------------------------- start.c, serve.c
void tslrt_init(void);
void tslrt_map(uintptr_t addr, size_t size, const char *what);
noreturn void tslrt_die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tslrt_serve(void);
noreturn void tslrt_run_alone(const char *replay); // alone.c
// Runs one Plan to its end; in_run.c
void tslrt_run_plan(const tsl_plan_head *plan, const tsl_item *items, tsl_trace_head *trace,
                    tsl_event *events, uint64_t max_events);
void tslrt_close_files(void);
void tslrt_run_reset(void); // everything as it was before main
void tslrt_publish(void);
void tslrt_trace_clear(tsl_trace_head *trace);
void teasel_bug(const char *message);
extern bool tslrt_mapped; // the areas of layout.h are there

// ---------------------------------------------------------------- arguments.c
// Puts what main is given below `high`, and returns where the stack may begin.
uintptr_t tslrt_arguments(uintptr_t high, char ***argv, char ***envp);

// ---------------------------------------------------------------- print.c
int tslrt_format(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int tslrt_vformat(char *to, size_t size, const char *fmt, __builtin_va_list args);

// ---------------------------------------------------------------- sched.c

// The running thread is about to take this step; returns when it may.
void tslrt_op(unsigned kind, const void *object);
void tslrt_op_sized(unsigned kind, const void *object, unsigned size_code);
// As tslrt_op, when the pending step may be changed by others meanwhile (condition
// variables): records nothing.
void tslrt_block(unsigned kind, const void *object, uint32_t site);
// Atomic sections: an access in one, the end of one, and may a step be part of it?
void tslrt_exclusive_access(const void *p, uint32_t site, unsigned kind, uint64_t size);
void tslrt_exclusive_close(void);
bool tslrt_exclusive_takes(unsigned kind, const void *object, unsigned size_code);
void tslrt_note(unsigned kind, uint64_t addr, unsigned res);
// The step just recorded does this too: a further access, of 1 << size_code bytes.
void tslrt_also(unsigned kind, const void *object, unsigned res, unsigned size_code);
void tslrt_also_range(unsigned kind, const void *p, uint64_t size);
// How long the range of the event or note before is.
void tslrt_note_length(uint64_t size);
// It woke a waiter of the object; who can run is told behind all such notes.
void tslrt_woke(const void *object, const tslrt_fiber *waiter);
void tslrt_enable_woken(const tsl_event *first);
void tslrt_set_enabled(tslrt_fiber *fiber, bool enabled);
// One of n alternatives of the step just recorded.
unsigned tslrt_choose(unsigned n);
void tslrt_leave(void);
// A step on a range: announced, its turn taken, told.  `begin` announces it and takes its turn if others may come first, which
// is what `asks` says.
bool tslrt_range_asks(unsigned kind, const void *p, uint32_t site);
void tslrt_range_turn(void);
void tslrt_range_begin(unsigned kind, const void *p, uint32_t site);
void tslrt_range_end(unsigned kind, const void *p, uint64_t size, uint32_t site);
void tslrt_recording_update(void);
void tslrt_first_fiber(void);
void tslrt_first_pick(void);
uint64_t tslrt_steps(void);

// A step that takes no turn: right behind what the running thread did last.
void tslrt_free_step(unsigned kind, uint64_t addr, unsigned res, uint32_t site);

// ---------------------------------------------------------------- symbol/
void tslrt_symbols_begin(tsl_expr *nodes, uint32_t max, uint32_t max_branches);
uint32_t tslrt_symbols_count(void);
void tslrt_symbols_copy(void *to, const void *from, uint64_t size); // of a block that moves
void tslrt_symbols_taken(const void *p, uint64_t size); // what the runtime reads is not followed
void tslrt_symbols_aliased(void);                       // memory has two addresses, or inputs in it
void tslrt_symbols_untaken(void); // labels given to somebody who does not take them
// For functions of the runtime that follow labels: the label of an argument; that they are
// taken; the label of the result.
uint32_t tslrt_arg_label(const void *self, unsigned place);
void tslrt_args_taken(const void *self);
void tslrt_give_label(const void *self, uint32_t label);
// For those that call functions of the program: of its first argument; of its result.
void tslrt_pass_label(const void *function, uint32_t label);
uint32_t tslrt_take_label(const void *function);
// The program ends with a status that has this label.
void tslrt_symbols_exit(uint32_t label, uint32_t site);

// Inputs from outside (outside.c): which there are, before main; files in memory for those that
// are read from descriptors; and their values, at the start of each run.
void tslrt_outside_add(const tsl_outside *what);
void tslrt_outside_first(const void *bytes, size_t n);
void tslrt_outside_from_wire(const tsl_wire *wire);
void tslrt_outside_open(void);
void tslrt_outside_begin(void);
const tsl_outside *tslrt_outside_at(unsigned number); // NULL: there are no more
void tslrt_outside_put(unsigned number, char *to);    // writes its bytes, with their labels
// Where bytes are read from: a place in one of them, or not (-1).
typedef struct tslrt_source {
    int input;
    uint64_t at;
} tslrt_source;
int tslrt_outside_of(int fd);
// Where a file that is opened for reading really is.
#define TSLRT_OUTSIDE_PATH 32
const char *tslrt_outside_path(const char *path, char room[TSLRT_OUTSIDE_PATH]);
// The file that stands for one of the system whose contents differ from run to run (libc/world.c).
void tslrt_world_begin(void);
uint32_t tslrt_outside_label(tslrt_source from, uint8_t actual);
void tslrt_outside_read(tslrt_source from, const void *to, size_t n); // n bytes are at `to` now
const char *tslrt_outside_text(tslrt_source from, const char **end);  // from there on, with labels
void tslrt_outside_mapped(int fd, uint64_t offset, const void *at, size_t size);

// ---------------------------------------------------------------- sleep.c
void tslrt_sleep_begin(void);  // the prefix is used up: its last step is the first to wake anybody
void tslrt_sleep_update(void); // wakes whom the steps since then wake

// ---------------------------------------------------------------- await.c
void tslrt_loops_update(void);                      // whether loops are looked at
bool tslrt_await_over(const tslrt_fiber *fiber);    // it stands before AWAIT and could go on
bool tslrt_await_any_over(void);                    //
bool tslrt_await_enabled(const tslrt_fiber *fiber); // and may
bool tslrt_await_unexplained(void); // somebody could go on and no step tells why: lets it
void tslrt_await_update(void);      // sets who of them is enabled
void tslrt_end_if_spinning(void);   // nobody can run, and somebody stands before one

// ---------------------------------------------------------------- fiber.c
tslrt_fiber *tslrt_fiber_new(void *(*start)(void *), void *arg);
void tslrt_fiber_stack(tslrt_fiber *fiber, size_t want);
void tslrt_fiber_clean(tslrt_fiber *fiber); // stack and values back to zero
void tslrt_switch(void **save_sp, void *load_sp);
void *tslrt_fiber_prepare(uintptr_t stack_high, void (*entry)(void));
noreturn void tslrt_fiber_finish(void *result);

// ---------------------------------------------------------------- libc/ipc.c
void tslrt_ipc_end(void); // the run ends

// ---------------------------------------------------------------- end.c
noreturn void tslrt_give_up(uint32_t site, const char *why);
unsigned tslrt_children(unsigned parent, unsigned *pids, unsigned most); // how many were found
noreturn void tslrt_end(unsigned outcome, uint32_t site, const void *about, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
noreturn void tslrt_corrupted(void);
void tslrt_note_pending(void);
noreturn void tslrt_misuse(const void *object, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// Of a lock that it holds.  A child of the program really waits, because its parent may end it.
noreturn void tslrt_waits_for_itself(const void *lock, const char *what);
void tslrt_fill(unsigned outcome, uint32_t site, const void *about, const char *message);
noreturn void tslrt_exit_process(int status, uint32_t label); // of the status, or 0
void tslrt_exit_if_last(void);
void tslrt_catch_libc_exit(void); // process.c
unsigned tslrt_walk(uint64_t pc, uintptr_t fp, uintptr_t low, uintptr_t high, uint64_t *frames,
                    unsigned max);

// ---------------------------------------------------------------- census.c
void tslrt_census(void);
uint64_t tslrt_libraries_loaded(void); // so far; extern.c
// Said once per campaign: something is not controlled.
void tslrt_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tslrt_say_at(uint32_t site, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// And behaviours exist that no schedule shows: nothing is "complete".
void tslrt_weaken(enum tsl_reason reason, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void tslrt_calls_uncontrolled(const tsl_extern *e, uint32_t site); // it is in externs.def
void tslrt_weaken_at(uint32_t site, enum tsl_reason reason, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

// ---------------------------------------------------------------- cover.c
void tslrt_cover_init(void);
void tslrt_cover_register(tsl_module *module);
void tslrt_cover_share(int fd, const tsl_wire *wire);
uint32_t tslrt_cover_log(void); // at the end of a run: how many points there are now
void tslrt_cover_publish(tsl_wire *wire, const tsl_module *module, uint32_t strings);

// ---------------------------------------------------------------- crash.c
void tslrt_crash_install(void);

// The only thread has made as many accesses as it may: does it ever end?
void tslrt_out_of_fuel(uint32_t site);

// hang.c: called by the handlers of signals.  Begin: false if nothing can be proven; else the thread
// goes on, and stops behind each instruction.
struct ucontext_t;
enum tslrt_hang { TSLRT_HANG_UNKNOWN, TSLRT_HANG_PERHAPS, TSLRT_HANG_PROVEN };
bool tslrt_hang_begin(struct ucontext_t *context);
bool tslrt_hang_fault(const void *p); // true: it was only protected for that
enum tslrt_hang tslrt_hang_step(struct ucontext_t *context);
void tslrt_hang_stop(struct ucontext_t *context); // the run goes on as it was
uint64_t tslrt_hang_length(void);                 // instructions
void tslrt_signals_reset(void);
struct signalfd_siginfo;
void tslrt_signalfd_read(int fd, struct signalfd_siginfo *signals, size_t size);
void tslrt_signal_default(int sig);
void tslrt_signal_own(int sig, void (*handler)(int)); // of the runtime's, not of the program's
bool tslrt_is_confined(void);                         // seccomp was asked for, and is passed over
void tslrt_sends(int sig); // the program is about to send it to a process

// ---------------------------------------------------------------- heap.c
void tslrt_heap_reset(void);
bool tslrt_heap_block(uintptr_t a, tsl_block_info *info);
bool tslrt_heap_in_use(uintptr_t a);                 // inside what some thread has carved
bool tslrt_heap_is_live(uintptr_t a, uint64_t size); // every byte may be accessed
// Of bytes that may not be: fills what the Trace says of the block, and finds the first such byte.
unsigned tslrt_heap_error(uintptr_t a, uint64_t size, uintptr_t *bad);
void tslrt_heap_each(void (*visit)(uintptr_t user, uint64_t size, uint32_t site, void *data),
                     void *data);

// ---------------------------------------------------------------- inside.c
// The caller is libc, which may hold a lock of its own: no other thread may run now.
bool tslrt_from_libc(const void *return_address);
bool tslrt_is_code(const void *p); // of the program or of a library

// ---------------------------------------------------------------- filter.c
void tslrt_filter_begin(void);
// So many steps were taken or decided, the last one is the running thread's: does its filter start?
void tslrt_filter_look(int64_t steps);
// The running thread has a filter: is this access left out?
bool tslrt_filter_takes(uintptr_t a, unsigned kind, uint64_t size);
void tslrt_filter_reset(void);

// ---------------------------------------------------------------- overtaken.c
// Since that step another thread has changed what it tells.
bool tslrt_overtaken(const tsl_event *call);

// ---------------------------------------------------------------- leak.c
void tslrt_leak_check(void);

// ---------------------------------------------------------------- restart.c
void tslrt_snapshot(void);
void tslrt_restore(void);
void tslrt_roots(void (*visit)(uintptr_t low, uintptr_t high, void *data), void *data);

// ---------------------------------------------------------------- output.c
void tslrt_output_reset(void);
void tslrt_output_collect(tsl_trace_head *trace);

// ---------------------------------------------------------------- sync/
void tslrt_single_threaded(bool single);           // what glibc says about the number of threads
bool tslrt_can_run(const tslrt_fiber *fiber);      // enabled.c: one rule per kind
uint16_t tslrt_owner_of(const tslrt_fiber *fiber); // stuck.c: who holds what it waits for
bool tslrt_find_stuck(bool others_run);            // marks all that are
void tslrt_end_if_stuck(bool others_run);
void tslrt_objects_freed(uintptr_t from, uint64_t size); // object.c
// signals.c
bool tslrt_is_signal(const void *object);
bool tslrt_signal_waits_no_more(const tslrt_fiber *fiber);
bool tslrt_signal_is_blocked(const tslrt_fiber *fiber, int sig);
void tslrt_signal_pends(tslrt_fiber *fiber, int sig);
void tslrt_signal_reads_masks(void);
void tslrt_signal_handled(uint64_t before); // a handler has returned
void tslrt_signal_to_self(int sig);
void tslrt_die_by(int sig);
int tslrt_signal_process(int sig);
// Nobody can run, or `only` is to run and can't: waits for what may come from outside.
bool tslrt_await_outside(const tslrt_fiber *only);
bool tslrt_is_shared(const void *object); // with other processes
bool tslrt_waits_for_client(void); // nobody can run, and somebody waits for the world outside
bool tslrt_waits_for_process(
    void); // nobody can run, and what one waits for is shared with another process
// sent.c: what comes with a signal
bool tslrt_signal_queues(int sig); // real-time
void tslrt_sent_by(int code, void *value);
void tslrt_sent_note(const tslrt_fiber *to, int sig);
bool tslrt_sent_take(const tslrt_fiber *to, int sig, tslrt_sent *taken);
tslrt_sent tslrt_sent_now(int sig);
void tslrt_signal_came(int sig);
int tslrt_raise(int sig); // with what the thread sends
void tslrt_signal_act_on(
    const tslrt_sent *sent);         // the running thread gets it, and does not block it
uint64_t tslrt_signals_deadly(void); // those that end the process
_Noreturn void tslrt_signal_kills(int sig, const char *why);
void tslrt_signal_from_timer(
    int sig); // it may come, and is not to end the process by the real clock
void tslrt_signal_mask_back(uint64_t mask, uint32_t site);    // by a jump
void tslrt_signal_mask_of(tslrt_fiber *fiber, uint64_t mask); // which does not run yet
// A call that waits with another mask (NULL: with its own) begins; true if a signal has ended it already.
bool tslrt_wait_begins(const uint64_t *mask, uint32_t site);
void tslrt_wait_ends(uint32_t site);
int tslrt_suspend(const uint64_t *mask, uint32_t site);         // until a handler has run
bool tslrt_can_return(const tslrt_fiber *fiber, unsigned kind); // were it not cancelled
// interrupt.c: signals from other threads
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
// cancel.c: may the thread be cancelled at all; and was it asked to?
bool tslrt_cancellable(const tslrt_fiber *fiber);
bool tslrt_cancel_wanted(const tslrt_fiber *fiber);
bool tslrt_cancel_strikes(const tslrt_fiber *fiber); // before any step of its
unsigned tslrt_looks(void); // TSL_ARG_LOOKS if the step just recorded looked at the request
// A call that may be cancelled is entered.
void tslrt_cancel_point(void);
void tslrt_cancel_point_of(const char *function); // of libc, by its name
// The step of such a call; comes back if it is not cancelled.
void tslrt_cancellable_op(unsigned kind, const void *object);
// The same in parts: who waits for its turn; what it found; whether to return, where both can be.
void tslrt_cancellable_block(unsigned kind, const void *object, uint32_t site);
bool tslrt_cancel_chosen(bool could_return, unsigned seen);
// The kind of a step that waits, once there is a request.
unsigned tslrt_requested_kind(unsigned kind);
void tslrt_ask_to_cancel(tslrt_fiber *fiber);
void tslrt_cancel_now(void);
void tslrt_cancel_last_chance(void); // of a request, while cancellation is asynchronous
void tslrt_cancel_defer(void);       // from now on it is not
noreturn void tslrt_unwind(void *result);
void tslrt_run_key_destructors(void);
void tslrt_release_robust(void);
void tslrt_yielded(void);
void tslrt_created(tslrt_fiber *fiber);

// sample.c
void tslrt_sample_begin(void);
void tslrt_sample_created(const tslrt_fiber *fiber);
tslrt_fiber *tslrt_sample_pick(unsigned n, uint32_t limit);
unsigned tslrt_sample_choice(unsigned n);
// By a few bits of the site: two that share them are one point more.
static inline bool tslrt_is_point(unsigned kind, uint32_t site) {
    return !tsl_is_ordinary_access(kind) || tslrt->points[site % TSLRT_POINTS];
}
void tslrt_park(const tslrt_fiber *fiber, const void *object);
void tslrt_ends(void);
bool tslrt_io_ready(const tslrt_fiber *fiber); // io.c
bool tslrt_io_turn(uint32_t site); // a step that does not wait, if there are several threads
struct timespec;
// time.c: the running thread timed out, or slept
void tslrt_clock_reached(int clock, const struct timespec *until);
uint64_t tslrt_clock_look(void);
void tslrt_clock_pass(uint64_t ns);
void tslrt_sleep_step(uint32_t site);
// libc/timer.c: what timers that go by the real clock would send, among these signals; and sends it at once.
uint64_t tslrt_timers_set(uint64_t signals);
void tslrt_timers_bring(uint64_t signals);
void tslrt_timers_stop(void);

#include "quick.h"

#endif
