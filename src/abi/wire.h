// Plan and Trace in shared memory: the one agreement between the tool and the
// runtime inside the program under test.
//
// One file in memory (a memfd) holds everything:
//
//     tsl_wire          sizes, the two ring counters, census
//     sites             what was instrumented, copied in by the runtime
//     coverage          what the coverage counters are, copied in too, and which were reached
//     slot 0..N-1       each: one Plan (tool writes) and one Trace (runtime writes)
//
// Plan number n and its Trace live in slot n % N.  The tool writes Plan n and then raises `plans`
// to n+1; the runtime writes Trace n and then raises `traces` to n+1.  Nothing else is shared, so
// a program that overwrites this memory can only spoil its own Trace: the tool keeps its own
// counters and checks everything that it reads.
//
// Fixed sizes, no pointers, little endian.  Any change raises TSL_ABI_VERSION.
#ifndef TSL_ABI_WIRE_H
#define TSL_ABI_WIRE_H

#include "event.h"
#include "reason.h"
#include "symbol.h"

#define TSL_ABI_VERSION 13u
#define TSL_WIRE_MAGIC 0x314c53415345544cull // any fixed number

// ---------------------------------------------------------------- events

// One event: 16 bytes, two stores in the fast path.
//
// `arg` of an access: the low four bits are log2 of its size, or TSL_ARG_RANGE if the size is no
// power of two up to 16 and follows in a LENGTH note; the next three bits are the memory order of
// an atomic access (C11 numbering).  Of a step on a synchronisation object the low four bits are
// the row of objects.def.  The highest bit of any step: it also looked at the request flag of its
// thread, and found no request (conflict.h).  Site 0 is code that is not instrumented.
typedef struct tsl_event {
    uint64_t addr : 48;
    uint64_t kind : 8;
    uint64_t arg : 8;
    uint32_t site;
    uint16_t thread;
    uint16_t res;
} tsl_event;

_Static_assert(sizeof(tsl_event) == 16, "an event is two words");

#define TSL_ARG_RANGE 15u
#define TSL_ARG_LOOKS 0x80u
#define TSL_ARG_ORDER(arg) ((arg) >> 4 & 7u)
#define TSL_ARG_ORDER_BITS 0x70u
#define TSL_ARG_SAME 64u // in an ALSO note of SECTION: the section left the value that was there

// In `res` of a PENDING note: the step reads the request flag, or the signal flag, of its thread.
#define TSL_PENDING_REQUEST 0x100u
#define TSL_PENDING_SIGNAL 0x400u
// In the same `res`: the step could have run at the end, or instead of the one that ended the
// process.
#define TSL_PENDING_READY 0x200u

// `res` of a BRANCH.  A pin says that a value (an address, a length) is what it is.  It has as many
// alternatives as there are values, so it carries a mark of the value.
enum tsl_branch_res {
    TSL_BRANCH_TRUE = 1,
    TSL_BRANCH_PIN = 2,   // always true; res >> 3 is the mark
    TSL_BRANCH_CHECK = 4, // the other outcome is a bug
};

static inline unsigned tsl_pin_res(uint64_t value) {
    return TSL_BRANCH_TRUE | TSL_BRANCH_PIN | (unsigned)(value * 0x9e3779b97f4a7c15ull >> 52) << 3;
}

// ---------------------------------------------------------------- outcomes

enum tsl_outcome {
#define TSL_OUTCOME(name, text, is_bug, headline) TSL_OUT_##name,
#include "outcome.def"
#undef TSL_OUTCOME
    TSL_OUT_COUNT
};

// ---------------------------------------------------------------- plans

enum tsl_policy {
    TSL_POLICY_STAY,  // go on with the running thread; else the lowest number
    TSL_POLICY_FAIR,  // round robin with a small quantum
    TSL_POLICY_EAGER, // stay, but a thread that is created starts at once; has an order
#define TSL_SAMPLER(NAME, name, wants, help) TSL_POLICY_##NAME,
#include "samplers.def"
#undef TSL_SAMPLER
    TSL_POLICY_COUNT,
    TSL_FIRST_SAMPLER = TSL_POLICY_EAGER + 1,
    TSL_SAMPLERS = TSL_POLICY_COUNT - TSL_FIRST_SAMPLER
};

// Does the policy draw schedules at random?
static inline bool tsl_policy_samples(uint32_t policy) {
    return policy >= TSL_FIRST_SAMPLER && policy < TSL_POLICY_COUNT;
}

// What a Plan gives to a sampler besides its seed.
enum tsl_sampler_wants { TSL_WANTS_NOTHING, TSL_WANTS_DEPTH, TSL_WANTS_WEIGHTS };

static inline enum tsl_sampler_wants tsl_policy_wants(uint32_t policy) {
    switch (policy) {
#define TSL_SAMPLER(NAME, name, wants, help)                                                       \
    case TSL_POLICY_##NAME:                                                                        \
        return TSL_WANTS_##wants;
#include "samplers.def"
#undef TSL_SAMPLER
    default:
        return TSL_WANTS_NOTHING;
    }
}

#define TSL_MAX_BUG_DEPTH 16u // of a Plan for pct

enum tsl_plan_flag {
    TSL_PLAN_SPURIOUS = 1u << 0,    // spurious wake-ups, and failures of weak compare-and-swaps
    TSL_PLAN_LEAKS = 1u << 1,       // look for leaks at the end
    TSL_PLAN_EXIT_STATUS = 1u << 2, // non-zero exit status is a bug
    TSL_PLAN_STACKS = 1u << 3,      // record a stack per thread at the end
    TSL_PLAN_STOP = 1u << 4,        // end the run where the prefix ends
    TSL_PLAN_ENABLED = 1u << 5,     // note which threads become enabled or disabled
    TSL_PLAN_SYMBOLIC = 1u << 6,    // follow values that depend on inputs
    TSL_PLAN_OVERFLOW = 1u << 7,    // signed overflow of such values is a bug
    TSL_PLAN_POINTS = 1u << 8,      // the policy decides only at preemption points
    TSL_PLAN_SPIN_ENDS = 1u << 9,   // a thread stops behind a round of a loop that only waited
};

enum tsl_item_kind {
    TSL_ITEM_RUN,    // run thread `value` for `count` steps
    TSL_ITEM_CHOICE, // the next CHOICE takes alternative `value`
};

// One entry of the schedule prefix.
typedef struct tsl_item {
    uint16_t kind;
    uint16_t value;
    uint32_t count;
} tsl_item;

// Seeds that give inputs simple values, which keep runs short, instead of random ones.
#define TSL_SIMPLE_INPUTS 0xfffffffffffffff0ull
enum tsl_simple_inputs {
    TSL_SIMPLE_ZEROS,   // every element 0
    TSL_SIMPLE_ONES,    // 1
    TSL_SIMPLE_ALL_SET, // -1, the largest number without a sign
    TSL_SIMPLE_SMALL,   // 0 to 16
    TSL_SIMPLE_LENGTHS, // powers of two up to 1024, and their neighbours
    TSL_SIMPLE_LIMITS,  // the largest and the smallest signed number, and their neighbours
    TSL_SIMPLE_COUNT
};

typedef struct tsl_plan_head {
    uint64_t seq;
    uint64_t seed;
    uint64_t max_steps;
    uint32_t policy;
    uint32_t flags;
    // Behind the head, in this order:
    uint32_t nitems;       // tsl_item: the schedule prefix
    uint32_t nsleep;       // tsl_event: the sleep set before the last step of the prefix
    uint32_t norder;       // tsl_turn in the order of their groups, for EAGER
    uint32_t ninputs;      // tsl_plan_input, 8 bytes aligned
    uint32_t input_bytes;  // bytes of all inputs
    uint32_t max_branches; // most input branches that are recorded
    uint64_t input_seed;   // for inputs that the Plan lacks; or TSL_SIMPLE_INPUTS + which
    uint64_t length;       // pct: how often the policy was asked, in the longest run so far
    uint64_t interest;     // surw: of these eight bytes; 0: all
    uint32_t depth;        // pct: one more than the change points
    uint32_t nweights;     // surw; behind the inputs, 8 bytes aligned: so many tsl_weight
    uint32_t npoints;      // how much of the log of preemption points is in force
    uint32_t pad;
} tsl_plan_head;

// Preemption points: synchronisation, atomic and volatile accesses, frees, and plain accesses at
// sites of the log, which holds sites (32 bits each) that were seen racing and only grows.
#define TSL_MAX_POINTS 65536u

// How many interesting steps a thread, and all threads it created, took in an earlier run.
typedef struct tsl_weight {
    uint32_t thread;
    uint32_t weight;
} tsl_weight;

// The value of an input: its bytes follow, padded to a multiple of 8.
typedef struct tsl_plan_input {
    uint32_t thread, index; // as tsl_expr_object
    uint32_t size, pad;
} tsl_plan_input;

#define TSL_MAX_INPUT 65536u // bytes of one input

// Says which thread goes on when the running thread can't: in the first group that has an enabled
// thread, the enabled thread with the next number after the running thread's, in a circle.
typedef struct tsl_turn {
    uint16_t thread, group;
} tsl_turn;

// Sleeping steps are written as in a Trace: the step, then its LENGTH and ALSO notes.  A thread
// wakes when a step that conflicts with its own (conflict.h) is executed; the last step of the
// prefix is the first that may wake it.  Behind the prefix, threads that sleep are not scheduled;
// if every enabled thread sleeps the run is REDUNDANT.

// ---------------------------------------------------------------- traces

enum tsl_trace_flag {
    TSL_TRACE_LEAKED = 1u << 0,      // state outside the process may have changed
    TSL_TRACE_FILTERED = 1u << 1,    // repeated accesses were left out
    TSL_TRACE_FORKED = 1u << 2,      // the program forked
    TSL_TRACE_OPAQUE = 1u << 3,      // uninstrumented code ran
    TSL_TRACE_LATE_PAGE = 1u << 4,   // the restart had missed a page, and restored it late
    TSL_TRACE_NO_THREADS = 1u << 5,  // no thread was created
    TSL_TRACE_CUT = 1u << 6,         // the step limit ended the run, whatever its outcome says
    TSL_TRACE_CONCRETISED = 1u << 7, // a value that depends on inputs was not followed
    TSL_TRACE_DEPTH = 1u << 8,       // there were more input branches than the Plan wants
    TSL_TRACE_INPUTS = 1u << 9,      // the program asked for inputs or choices
    TSL_TRACE_AT_SITE = 1u << 10,    // `site` is where it happened, even for a signal
    TSL_TRACE_WEAK = 1u << 11,       // there were atomics or fences weaker than seq_cst
    TSL_TRACE_KILLS = 1u << 12       // the program itself sent SIGKILL
};

#define TSL_MAX_STEPS 16000000ull // of one run
#define TSL_MAX_FRAMES 32
#define TSL_MAX_THREADS 8192  // thread numbers are below this
#define TSL_TRACE_THREADS 512 // threads described in one trace
#define TSL_MESSAGE 512
#define TSL_OUTPUT 4096 // tail of what the program printed

enum tsl_thread_state {
    TSL_THREAD_READY,   // stands before a step that could run
    TSL_THREAD_BLOCKED, // stands before a step that could not
    TSL_THREAD_ENDED
};

// What is known of one thread when the run ended.
typedef struct tsl_thread_info {
    uint16_t thread; // stable number: depends on who created it, not on when
    uint16_t parent;
    uint16_t index;   // among the children of its parent, from 1
    uint8_t state;    // enum tsl_thread_state
    uint8_t pending;  // kind of its pending step
    uint16_t owner;   // the thread that holds the object it waits for, or 0xffff
    uint16_t nframes; // innermost first
    uint32_t site;    // of the pending step
    uint64_t object;  // of the pending step
    uint64_t start_routine;
    char name[16];
    uint64_t frames[TSL_MAX_FRAMES];
} tsl_thread_info;

// The heap block a memory error is about.
typedef struct tsl_block_info {
    uint64_t addr; // 0: none known
    uint64_t size;
    uint32_t alloc_site, free_site;
    uint16_t alloc_thread, free_thread;
    uint32_t freed;
} tsl_block_info;

typedef struct tsl_trace_head {
    uint64_t seq;
    uint64_t steps;
    uint32_t nevents; // tsl_event, right after this head
    uint32_t nnodes;  // tsl_expr, at wire.nodes_offset of the slot; 0: none
    uint32_t outcome; // enum tsl_outcome
    uint32_t flags;   // enum tsl_trace_flag
    int32_t exit_status;
    int32_t signal;
    uint32_t wait_status; // filled by the server when the process died
    uint32_t thread;      // the thread that ended the run
    uint32_t site;        // where it ended the run
    uint64_t fault_addr;  // the address or object that the outcome is about
    uint64_t access_size;
    uint32_t nthreads;    // entries of `threads`
    uint32_t all_threads; // how many threads there were
    uint32_t leak_blocks;
    uint32_t output_bytes; // used of `output`
    uint32_t nreached;     // entries of the coverage log when the run ended
    uint32_t pad;
    uint64_t output_total; // bytes printed in all
    uint64_t leak_bytes;
    tsl_block_info block;
    char message[TSL_MESSAGE];
    char output[TSL_OUTPUT];
    tsl_thread_info threads[TSL_TRACE_THREADS];
} tsl_trace_head;

// ---------------------------------------------------------------- sites

enum tsl_site_kind { TSL_SITE_ACCESS, TSL_SITE_CALL, TSL_SITE_ASM, TSL_SITE_OTHER };

// As it stands in the `teasel_sites` section of an object.  Strings are offsets into the string
// table of the object; in shared memory they are offsets into the common table.
typedef struct tsl_site {
    uint32_t file, func;
    uint32_t line;
    uint16_t column;
    uint16_t kind; // enum tsl_site_kind
} tsl_site;

// ---------------------------------------------------------------- coverage

// Every instrumented function has coverage counters (here called points).  A point is one byte of a
// map (TSL_COVER_ADDR in the program) that is 1 once any run came by; only the tool sets it to 0
// again.  At the end of each run the runtime appends new points to a log.  So the first `nreached`
// entries are what the run of a Trace and earlier runs have reached, even if the program has already
// run later Plans.

// In an object, points are counted from the first one of the module.  In shared memory they are
// indices into the map, and strings are offsets into the common table.
typedef struct tsl_cover_func {
    uint32_t file, folder, name; // a relative `file` lies in `folder`
    uint32_t line;
    uint32_t point;   // of its entry
    uint32_t nplaces; // which follow the places of the function before it
} tsl_cover_func;

// A line, or one outcome of a covered branch; it is covered when its point is.  A line with several
// points is there several times.  The outcomes of a branch follow each other: of `if`, `?:`, `&&`,
// `||` and loops first true, then false; of `switch` first the default, then one for each place
// it can go to.
typedef struct tsl_cover_place {
    uint32_t point;
    uint32_t line;
    uint16_t column;            // of a branch
    uint16_t outcome, outcomes; // its number, and how many there are; 0 and 0 for a line
    uint16_t pad;
} tsl_cover_place;

typedef struct tsl_cover_log {
    uint32_t n;
    uint32_t points[]; // each point once
} tsl_cover_log;

// ---------------------------------------------------------------- modules

// What is known of a function of another object that this object calls.
enum tsl_extern_class {
    TSL_EXTERN_KNOWN = 0,  // instrumented, or modelled by the runtime
    TSL_EXTERN_PURE = 0,   // changes only memory of its arguments: the restart has nothing to do
    TSL_EXTERN_OPAQUE = 1, // any memory may have changed
    TSL_EXTERN_LEAKS = 3   // so may the world outside the process
};

// `taken` of a variable of libc (variables.def): the entry is no function.
enum tsl_extern_variable {
    TSL_EXTERN_LOADED = 2, // the program only loads it
    TSL_EXTERN_CHANGED = 3 // it may store into it, or takes its address
};

typedef struct tsl_extern {
    const char *name;
    void (*function)(void); // 0 when not linked (weak)
    uint32_t calls;         // call sites in this object
    uint32_t taken;         // 1: its address is taken; or enum tsl_extern_variable
    uint32_t class_;        // enum tsl_extern_class, filled at start-up
    uint32_t quiet;         // 1: events tell all that it does; filled at start-up
    uint32_t tells;         // enum tsl_tells: what is told at a call; filled at start-up
    uint32_t row;           // in the table of libc, from 1, or 0; filled at start-up
} tsl_extern;

// What there is to tell at a call: if anything, the runtime's slow paths are called.
enum tsl_tells {
    TSL_TELLS_BEFORE = 1,
    TSL_TELLS_AFTER = 2,
    TSL_TELLS_UNCONTROLLED = 4, // it is named in externs.def
    TSL_TELLS_STEP = 8,         // it is a step, or touches memory
    TSL_TELLS_WORLD = 16        // its result may differ from run to run
};

// What one instrumented object registers.
typedef struct tsl_module {
    uint32_t abi; // TSL_ABI_VERSION
    uint32_t nsites, nexterns, nfunctions, nstrings;
    uint32_t naccesses, natomics, nasm, nicalls;
    uint32_t pad;
    const char *name;
    const tsl_site *sites;
    const char *strings;
    tsl_extern *externs;
    void (*const *functions)(void); // functions defined and instrumented here
    uint32_t *site_base;            // set by the runtime: first site number
    struct tsl_module *next;
    const tsl_cover_func *cover_funcs;
    const tsl_cover_place *cover_places;
    uint8_t **cover; // set by the runtime: its first point
    uint32_t ncover_funcs, ncover_places, npoints;
    uint32_t pad2;
} tsl_module;

// ---------------------------------------------------------------- inputs from outside

// Inputs that a program gets from outside are told before it starts.  They belong to thread 0 and
// exist before main does.  Their numbers lie apart from those of inputs that the program asks for,
// so neither shifts the other.
enum tsl_outside_kind {
    TSL_OUTSIDE_STDIN,
    TSL_OUTSIDE_FILE, // `name` is the path under which it is opened
    TSL_OUTSIDE_ARG,  // the rest of argv[place], behind the text that the option gave
    TSL_OUTSIDE_ENV,  // the variable `name`
    TSL_OUTSIDE_KINDS
};

#define TSL_OUTSIDE_INDEX 0x40000000u // number of the first, as tsl_expr_object has it
#define TSL_MAX_OUTSIDE 64

typedef struct tsl_outside {
    uint32_t kind;  // enum tsl_outside_kind
    uint32_t size;  // 1 to TSL_MAX_INPUT; without the final 0 of arguments and variables
    uint32_t place; //
    char name[244]; // ended by 0
} tsl_outside;

// ---------------------------------------------------------------- the file

enum tsl_mode { TSL_MODE_INPLACE, TSL_MODE_FORK };

#define TSL_MAX_MODULES_MAPPED 128
#define TSL_MAX_NOTES 64
#define TSL_MAX_OPAQUE 256

typedef struct tsl_mapped {
    uint64_t base, end, load; // load: what to subtract to get ELF addresses
    char path[232];
} tsl_mapped;

// A sentence for the census about something that was not controlled; each is said once.
typedef struct tsl_note {
    char text[184];
    uint32_t site;
    uint32_t reason; // enum tsl_reason: how it weakens the claim; NONE: not at all
} tsl_note;

typedef struct tsl_opaque {
    char name[56];
    uint32_t calls, class_;
} tsl_opaque;

typedef struct tsl_census {
    uint32_t objects, functions, sites, accesses, atomics, asm_blocks, indirect_calls;
    uint32_t nopaque, nnotes, nmapped;
    uint32_t restart_pages; // pages watched by the in-place restart
    uint32_t pad;
    uint64_t weakened; // a bit for each enum tsl_reason that was met
    tsl_opaque opaque[TSL_MAX_OPAQUE];
    tsl_note notes[TSL_MAX_NOTES];
    tsl_mapped mapped[TSL_MAX_MODULES_MAPPED];
} tsl_census;

static inline uint32_t tsl_sleeper(uint32_t seq) { return seq << 1 | 1; } // never 0

typedef struct tsl_wire {
    uint64_t magic;
    uint32_t abi;
    uint32_t nslots;
    uint64_t total_size;
    uint64_t sites_offset, sites_size; // room for site records and strings
    uint64_t cover_funcs_offset, cover_funcs_size;
    uint64_t cover_places_offset, cover_places_size;
    uint64_t cover_map_offset;    // TSL_COVER_SIZE bytes
    uint64_t cover_logged_offset; // as many bytes: 1 for each point in the log
    uint64_t cover_log_offset;
    uint64_t slots_offset, slot_size;
    uint64_t plan_size;               // bytes of a slot kept for the Plan; the Trace follows
    uint64_t max_events;              // of one Trace
    uint64_t points_offset;           // the log of preemption points
    uint64_t nodes_offset, max_nodes; // of a Trace's expressions, within its slot

    uint32_t mode;             // enum tsl_mode; read when a child is started
    uint32_t ready;            // futex: 1: the program stands before main; 2: it could not start
    uint32_t nsites, nstrings; // filled by the runtime
    uint32_t ncover_funcs, ncover_places, npoints; // filled by the runtime
    uint32_t pad;
    int32_t output_fd, stdin_fd;
    // Real time before the first run, comparable with time stamps of files.
    int64_t born_seconds, born_nanoseconds;

    // Ring counters, each alone on its cache line.  A sleeper word is 0 or names the number that is
    // waited for (tsl_sleeper).  The side that wakes clears only the word it has seen, and never
    // the flag of a later wait.
    uint32_t plans __attribute__((aligned(64)));     // futex: written by the tool
    uint32_t plan_sleeper;                           // the runtime sleeps on `plans`
    uint32_t traces __attribute__((aligned(64)));    // futex: written by the runtime
    uint32_t trace_sleeper;                          // the tool sleeps on `traces`
    uint32_t collected __attribute__((aligned(64))); // Traces the tool has taken
    uint32_t quit;
    char error[TSL_MESSAGE]; // why ready is 2
    uint32_t noutside, nfirst;
    tsl_outside outside[TSL_MAX_OUTSIDE];
    uint8_t first[TSL_MAX_INPUT]; // values of inputs that are not in the Plan
    tsl_census census;
} tsl_wire;

#endif
