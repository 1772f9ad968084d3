// Does this run ever end?
//
// A run whose time is up has either much to do or loops for ever.  The latter is proven if the
// state of the only thread recurs, the thread did not read from or act on the outside in between,
// and nothing else can change its state.  Then the same steps follow again and again:
//
//     state(i) == state(k), i < k, no input, output or choice in (i, k]   =>   no end
//
// The state is all registers and all memory.  So for a moment the thread runs instruction by
// instruction (by the processor's trap flag), with its memory write-protected: a page is saved when
// it is first written, and only saved pages need to be compared when the registers are the same
// again.  The state to compare with is replaced at growing intervals, so that it lies in the cycle
// in the end (Brent: An improved Monte Carlo factorization algorithm, 1980).
//
// Nothing can be proven, and the run counts as cut, if there are other threads, signal handlers,
// timers or children, if memory is shared with other processes, or if the cycle contains a system
// call, a look at the clock, or code of the runtime (inputs, choices and output come from there).
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include "hang.h"
#include "proc.h"
#include "state.h"
#include "sys.h"

#if defined(__x86_64__)

enum {
    PAGE = 4096,
    MOST_PAGES = 256,
    MOST_RANGES = 256,
    MOST_STATE = 16384, // of vector registers
    MOST_STEPS = 200000,
    LOOK_AT_CLOCK = 512,
    REGISTERS = REG_EFL + 1, // the general ones, the next instruction and the flags
    TRAP_FLAG = 0x100
};
#define MOST_NANOSECONDS 40000000l
#define FUEL (INT64_MAX / 2)

typedef struct range {
    uintptr_t low, high;
} range;

typedef struct circle {
    greg_t registers[REGISTERS];
    uint32_t nvector;
    char vector[MOST_STATE];
} circle;

struct tslrt_hunt {
    range ranges[MOST_RANGES], clock_code;
    unsigned nranges, npages;
    bool hopeless, has_base;
    uint64_t steps, base_at, next_base, length; // length: of the cycle, 0 while unknown
    uint64_t lowest, left; // address of its lowest instruction, and steps left to get there
    struct timespec begun;
    circle base;
    uintptr_t pages[MOST_PAGES];
    char saved[MOST_PAGES][PAGE];
    char maps[1 << 16];
};

typedef struct tslrt_hunt hunt;

// ---------------------------------------------------------------- memory

static bool is_runtime(uintptr_t a) {
    bool program = (a >= TSL_STACK_ADDR && a < TSL_SNAPSHOT_ADDR) ||
                   (a >= TSL_HEAP_ADDR && a < TSL_HEAP_ADDR + TSL_HEAP_SIZE);
    return !program && tslrt_has_mapped(a);
}

static void add_mapping(uintptr_t low, uintptr_t high, const char *rest, void *data) {
    hunt *h = data;
    size_t n = strlen(rest);
    if (n > 6 && strcmp(rest + n - 6, "[vdso]") == 0)
        h->clock_code = (range){low, high};
    if (is_runtime(low) || low == (uintptr_t)h)
        return;
    h->hopeless |= rest[4] == 's' || (rest[2] == 'w' && h->nranges == MOST_RANGES);
    if (rest[2] == 'w' && h->nranges < MOST_RANGES)
        h->ranges[h->nranges++] = (range){low, high};
}

static void read_mappings(hunt *h) {
    size_t n = tslrt_mappings(h->maps, sizeof h->maps, add_mapping, h);
    h->hopeless |= n == 0 || n == sizeof h->maps - 1;
}

static void protect(const hunt *h, int how) {
    for (unsigned i = 0; i < h->nranges; i++)
        tslrt_sys3(SYS_mprotect, h->ranges[i].low, h->ranges[i].high - h->ranges[i].low, how);
}

bool tslrt_hang_fault(const void *p) {
    hunt *h = tslrt->hang.hunt;
    uintptr_t page = (uintptr_t)p & ~(uintptr_t)(PAGE - 1);
    bool known = false;
    for (unsigned i = 0; h && i < h->nranges; i++)
        known |= page >= h->ranges[i].low && page < h->ranges[i].high;
    for (unsigned i = 0; known && i < h->npages; i++)
        if (h->pages[i] == page)
            return false; // the page is writable already, so the program itself made the fault
    if (!known)
        return false;
    if (h->npages == MOST_PAGES) {
        h->hopeless = true;
        protect(h, PROT_READ | PROT_WRITE);
        return true;
    }
    h->pages[h->npages] = page;
    memcpy(h->saved[h->npages++], (const void *)page, PAGE);
    tslrt_sys3(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE);
    return true;
}

static bool memory_is_the_same(const hunt *h) {
    for (unsigned i = 0; i < h->npages; i++)
        if (memcmp(h->saved[i], (const void *)h->pages[i], PAGE) != 0)
            return false;
    return true;
}

// ---------------------------------------------------------------- registers

// The kernel tells the size behind the first 464 bytes.
static uint32_t vector_size(const char *fp) {
    uint32_t magic, size;
    memcpy(&magic, fp + 464, sizeof magic);
    memcpy(&size, fp + 480, sizeof size);
    return magic == 0x46505853u && size >= 512 && size <= MOST_STATE ? size : 416;
}

static bool registers_are_the_same(const hunt *h, const ucontext_t *context) {
    const char *fp = (const char *)context->uc_mcontext.fpregs;
    if (memcmp(h->base.registers, context->uc_mcontext.gregs, sizeof h->base.registers) != 0)
        return false;
    return memcmp(h->base.vector, fp, 416) == 0 &&
           (h->base.nvector <= 512 ||
            memcmp(h->base.vector + 512, fp + 512, h->base.nvector - 512) == 0);
}

static void set_base(hunt *h, const ucontext_t *context) {
    const char *fp = (const char *)context->uc_mcontext.fpregs;
    memcpy(h->base.registers, context->uc_mcontext.gregs, sizeof h->base.registers);
    h->base.nvector = vector_size(fp);
    memcpy(h->base.vector, fp, h->base.nvector);
    for (unsigned i = 0; i < h->npages; i++)
        memcpy(h->saved[i], (const void *)h->pages[i], PAGE);
    h->has_base = true;
    h->base_at = h->steps;
    h->lowest = UINT64_MAX;
}

// ---------------------------------------------------------------- instructions

// Does the instruction read a time stamp or a random number, which do not follow from the state?
static bool looks_outside(const uint8_t *code) {
    while (*code == 0x66 || *code == 0xf2 || *code == 0xf3 || (*code & 0xf0) == 0x40)
        code++;
    if (*code != 0x0f)
        return false;
    return code[1] == 0x31 || code[1] == 0x33 || (code[1] == 0x01 && code[2] == 0xf9) ||
           (code[1] == 0xc7 && (code[2] & 0xf0) == 0xf0);
}

// A system call would act on the world, or on memory that is protected.
static bool is_system_call(const uint8_t *code) {
    return (code[0] == 0x0f && (code[1] == 0x05 || code[1] == 0x34)) || code[0] == 0xcd;
}

static bool is_outside(const hunt *h, uint64_t pc) {
    bool clock = pc >= h->clock_code.low && pc < h->clock_code.high;
    return tslrt_is_runtime((const void *)pc) || clock || looks_outside((const uint8_t *)pc);
}

static bool is_tired(const hunt *h) {
    struct timespec now;
    if (h->steps > MOST_STEPS)
        return true;
    if (h->steps % LOOK_AT_CLOCK)
        return false;
    tslrt_sys2(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
    return (now.tv_sec - h->begun.tv_sec) * 1000000000l + now.tv_nsec - h->begun.tv_nsec >
           MOST_NANOSECONDS;
}

// ---------------------------------------------------------------- the hunt

// Has the signal ended a system call that would otherwise go on?
static bool was_interrupted(const ucontext_t *context) {
    const uint8_t *pc = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];
    return is_system_call(pc) ||
           (is_system_call(pc - 2) && context->uc_mcontext.gregs[REG_RAX] < 0);
}

// Even without handlers, a signal may end the program: of a timer, a CPU time limit, or a child.
static bool may_be_ended(void) {
    struct itimerval timer;
    bool timed = tslrt->hidden.roles[TSL_STATE_TIMERS] != 0;
    for (int which = ITIMER_REAL; which <= ITIMER_PROF && !timed; which++)
        timed = tslrt_sys2(SYS_getitimer, which, &timer) == 0 &&
                (timer.it_value.tv_sec || timer.it_value.tv_usec);
    return timed || tslrt_limits_cpu() || (RUN->trace.flags & TSL_TRACE_FORKED);
}

bool tslrt_hang_begin(ucontext_t *context) {
    if (was_interrupted(context) || RUN->count.live != 1 || !SELF || tslrt_reg()->handled ||
        may_be_ended())
        return false;
    long at =
        tslrt_mmap(NULL, sizeof(hunt), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at < 0)
        return false;
    hunt *h = (hunt *)at;
    h->next_base = 1;
    tslrt_sys2(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &h->begun);
    read_mappings(h);
    if (h->hopeless)
        return false;
    tslrt->hang.hunt = h;
    protect(h, PROT_READ);
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return true;
}

static enum tslrt_hang give_up(hunt *h, ucontext_t *context, enum tslrt_hang answer) {
    protect(h, PROT_READ | PROT_WRITE);
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    return answer;
}

// The cycle is known: goes on to its lowest instruction, so that the report is always the same.
static enum tslrt_hang finish(hunt *h, ucontext_t *context, uint64_t pc) {
    if (pc != h->lowest && h->left-- > 0)
        return TSLRT_HANG_PERHAPS;
    return give_up(h, context, TSLRT_HANG_PROVEN);
}

enum tslrt_hang tslrt_hang_step(ucontext_t *context) {
    hunt *h = tslrt->hang.hunt;
    uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    TSL_HOT->solo_fuel = FUEL; // the fast paths would change it, and with it the state
    h->steps++;
    if (h->length)
        return finish(h, context, pc);
    if (h->hopeless || is_system_call((const uint8_t *)pc) || is_tired(h))
        return give_up(h, context, TSLRT_HANG_UNKNOWN);
    if (is_outside(h, pc)) {
        h->has_base = false;
        h->next_base = h->steps + 1;
        return TSLRT_HANG_PERHAPS;
    }
    if (h->has_base)
        h->lowest = pc < h->lowest ? pc : h->lowest;
    if (h->has_base && registers_are_the_same(h, context) && memory_is_the_same(h)) {
        h->length = h->left = h->steps - h->base_at;
        return finish(h, context, pc);
    }
    if (!h->has_base || h->steps == h->next_base) {
        set_base(h, context);
        h->next_base = 2 * h->steps;
    }
    return TSLRT_HANG_PERHAPS;
}

void tslrt_hang_stop(ucontext_t *context) {
    hunt *h = tslrt->hang.hunt;
    give_up(h, context, TSLRT_HANG_UNKNOWN);
    tslrt->hang.hunt = NULL;
    tslrt_sys2(SYS_munmap, h, sizeof *h);
}

uint64_t tslrt_hang_length(void) { return tslrt->hang.hunt->length; }

#else

bool tslrt_hang_begin(ucontext_t *context) {
    (void)context;
    return false;
}

bool tslrt_hang_fault(const void *p) {
    (void)p;
    return false;
}

enum tslrt_hang tslrt_hang_step(ucontext_t *context) {
    (void)context;
    return TSLRT_HANG_UNKNOWN;
}

void tslrt_hang_stop(ucontext_t *context) { (void)context; }

uint64_t tslrt_hang_length(void) { return 0; }

#endif
