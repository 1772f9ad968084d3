// Before main: map the runtime's areas, take over, decide whether the tool or a replay has control.
//
// The areas are mapped by whatever comes first: a malloc, the registration of an object by its
// constructor, or .preinit_array.  __libc_start_main is ours, so that main runs as a fiber.
#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include "cover.h"
#include "crash.h"
#include "print.h"
#include "sabotage.h"
#include "start.h"
#include "state.h"
#include "sys.h"

#if defined(__x86_64__)
#define RSEQ_SIGNATURE 0x53053053
#else
#define RSEQ_SIGNATURE 0xd428bc00
#endif

bool tslrt_mapped;

// The tool reads the Traces of runs, but not what is written before the first run.
static bool is_in_run(void) {
    return tslrt_mapped && tslrt->kind == RT_SERVED && SELF && !RUN->end.begun &&
           RUN->trace.head != (tsl_trace_head *)TSLRT_TRACE_AT;
}

noreturn void tslrt_die(const char *fmt, ...) {
    char line[TSL_MESSAGE];
    va_list args;
    va_start(args, fmt);
    int n = tslrt_vformat(line, sizeof line - 1, fmt, args);
    va_end(args);
    n = n < (int)sizeof line - 1 ? n : (int)sizeof line - 2;
    if (is_in_run())
        tslrt_give_up(TSL_HOT->call_site, line);
    if (tslrt_mapped && tslrt->wire && tslrt->kind != RT_REPLAY) {
        memcpy(tslrt->wire->error, line, (size_t)n + 1);
        __atomic_store_n(&tslrt->wire->ready, 2, __ATOMIC_RELEASE);
        tslrt_sys3(SYS_futex, &tslrt->wire->ready, 1 /* FUTEX_WAKE */, 1);
    }
    line[n++] = '\n';
    tslrt_sys3(SYS_write, 2, "teasel: ", 8);
    tslrt_sys3(SYS_write, 2, line, n);
    tslrt_exit_now(2);
}

void tslrt_map(uintptr_t addr, size_t size, const char *what) {
    long got = tslrt_mmap(addr, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != (long)addr)
        tslrt_die("can't map %lu KiB at %p for %s (error %d)%s", (unsigned long)size >> 10,
                  (void *)addr, what, got < 0 ? (int)-got : 0,
                  got == -ENOMEM ? ": raise `ulimit -v`, or free memory" : "");
}

// Before main everything runs on the kernel's stack as thread 0, unrecorded.
static void begin_early(void) {
    static const tsl_plan_head plan = {.max_steps = 1ull << 60, .policy = TSL_POLICY_STAY};
    tslrt_fiber *main_fiber = tslrt_fiber_at(0);
    main_fiber->state = FIBER_LIVE;
    main_fiber->enabled = true;
    main_fiber->thread.started = true;
    tslrt->kind = RT_EARLY;
    tslrt->process.pid = 4000;
    RUN->plan = &plan;
    RUN->trace.head = (tsl_trace_head *)TSLRT_TRACE_AT; // nobody reads it
    RUN->trace.first = TSL_HOT->cursor = (tsl_event *)TSLRT_EVENTS_AT;
    RUN->trace.limit = RUN->trace.first + TSLRT_EVENTS_ROOM;
    RUN->self = main_fiber;
    RUN->count.fibers = RUN->count.live = RUN->count.enabled = 1;
    RUN->prefix.is_over = true;
    RUN->fuel.until = TSL_HOT->fuel = RUN->fuel.ask_at = 1ll << 60;
    TSL_HOT->solo_fuel = INT64_MAX;
    RUN->libc.random.state = 1;
    main_fiber->clock_ns = 1700000000ull * 1000000000ull;
    TSL_HOT->low_stack = UINTPTR_MAX;
}

void tslrt_init(void) {
    if (tslrt_mapped)
        return;
    tslrt_map(TSL_HOT_ADDR, TSL_HOT_SIZE, "the runtime");
    tslrt_map(TSL_ARENA_ADDR, TSL_ARENA_SIZE, "the runtime");
    tslrt_map(TSL_SYMBOL_ADDR, TSL_SYMBOL_SIZE, "the runtime");
    tslrt_cover_init();
    tslrt_mapped = true;
    begin_early();
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = tslrt_init;

static void attach(const char *fd_text) {
    int fd = atoi(fd_text);
    struct {
        uint64_t magic;
        uint32_t abi, nslots;
        uint64_t total_size;
    } head; // the first fields of tsl_wire
    _Static_assert(sizeof head == offsetof(tsl_wire, sites_offset), "as tsl_wire begins");
    if (tslrt_sys4(SYS_pread64, fd, &head, sizeof head, 0) != (long)sizeof head ||
        head.magic != TSL_WIRE_MAGIC)
        tslrt_die("TEASEL_WIRE does not name the tool's shared memory");
    if (head.abi != TSL_ABI_VERSION)
        tslrt_die("this program was built by another version of teasel-cc; build it again");
    long at = tslrt_mmap(TSL_WIRE_ADDR, head.total_size, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0);
    if (at != (long)TSL_WIRE_ADDR)
        tslrt_die("can't map the tool's shared memory%s",
                  at == -ENOMEM ? ": raise `ulimit -v`, or use a smaller --steps" : "");
    tslrt->wire = (tsl_wire *)TSL_WIRE_ADDR;
    tslrt_cover_share(fd, tslrt->wire);
    tslrt_sys1(SYS_close, fd);
    tslrt->kind = RT_SERVED;
    tslrt->server.last_fd = tslrt->wire->stdin_fd;
    tslrt_outside_from_wire(tslrt->wire);
    tslrt_outside_open();
    tslrt_world_begin();
    tslrt_close_files(); // inherited ones, so that the first run finds the same as all others
}

// Replaying needs the addresses of the recorded run.
static void fix_addresses(char **argv, char **envp) {
    long now = tslrt_sys1(SYS_personality, 0xffffffffl);
    if (now < 0 || (now & ADDR_NO_RANDOMIZE))
        return;
    if (tslrt_sys1(SYS_personality, now | ADDR_NO_RANDOMIZE) < 0)
        return;
    tslrt_sys3(SYS_execve, "/proc/self/exe", argv, envp);
}

// Does not write what is already the same: nearly everything is zero, and each fork has to copy
// every page that was touched.
static void copy_changed(void *to, const void *from, size_t size) {
    enum { PIECE = 1024 };
    for (size_t at = 0; at < size; at += PIECE) {
        size_t n = size - at < PIECE ? size - at : PIECE;
        if (memcmp((char *)to + at, (const char *)from + at, n) != 0)
            memcpy((char *)to + at, (const char *)from + at, n);
    }
}

static void remember_fresh(int argc, char **argv, char **envp) {
    tslrt->program.argc = argc;
    tslrt->program.argv = argv;
    tslrt->program.envp = envp;
    tslrt->errno_at = &errno;
    tslrt_area_find();
    copy_changed(&tslrt->fresh.run, RUN, sizeof *RUN);
    tslrt->registry.touched = false;
    copy_changed(&tslrt->fresh.registry, tslrt_reg(), sizeof(tslrt_registry));
    tslrt->fresh.main = *tslrt_fiber_at(0);
    tslrt->fresh.main.signal.pending = 0; // signals that constructors have sent are lost
    tslrt->fresh.heap = *tslrt_slot(0);
}

// The kernel writes the number of the processor into a thread's rseq area whenever the thread
// moves: a change of memory that the program did not make.
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

static void leave_rseq(void) {
    if (!&__rseq_offset || !&__rseq_size || __rseq_size == 0)
        return;
    int32_t *area = (int32_t *)((char *)__builtin_thread_pointer() + __rseq_offset);
    tslrt_sys4(SYS_rseq, area, 32, 1 /* RSEQ_FLAG_UNREGISTER */, RSEQ_SIGNATURE);
    area[0] = area[1] = -1; // makes sched_getcpu ask the kernel
}

#ifdef TSLRT_SABOTAGE
enum tslrt_sabotage tslrt_sabotage;

static void choose_broken_rule(void) {
    const char *number = getenv("TSLRT_BREAK");
    while (number && *number >= '0' && *number <= '9')
        tslrt_sabotage = tslrt_sabotage * 10 + (unsigned)(*number++ - '0');
    if (tslrt_sabotage >= TSLRT_BREAK_COUNT)
        tslrt_die("TSLRT_BREAK is not the number of a rule");
    unsetenv("TSLRT_BREAK");
}
#else
static void choose_broken_rule(void) {}
#endif

static int take_over(int argc, char **argv, char **envp) {
    const char *wire = getenv("TEASEL_WIRE"), *replay = getenv("TEASEL_REPLAY");
    choose_broken_rule();
    if (wire) {
        attach(wire);
        unsetenv("TEASEL_WIRE");
    } else if (replay) {
        fix_addresses(argv, envp);
        tslrt->kind = RT_REPLAY;
    } else
        tslrt->kind = RT_ALONE;
    leave_rseq();
    tslrt_catch_libc_exit();
    remember_fresh(argc, argv, envp);
    tslrt_census();
    tslrt_crash_install();
    if (wire)
        tslrt_serve();
    else
        tslrt_run_alone(replay);
    return 0;
}

__attribute__((visibility("default"))) int
__libc_start_main(int (*main_)(int, char **, char **), int argc, char **argv, void (*init)(void),
                  void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                void (*)(void), void *);
    tslrt_init();
    tslrt->program.main = main_;
    real = (__typeof__(real))dlsym(RTLD_NEXT, "__libc_start_main");
    if (!real)
        tslrt_die("can't find libc's __libc_start_main: is the program linked statically?");
    return real(take_over, argc, argv, init, fini, rtld_fini, stack_end);
}

// The ELF section by which the tool recognises an instrumented program and its version.
__attribute__((section("teasel_abi"), used))
const uint32_t tslrt_abi_mark[4] = {0x54534c31, TSL_ABI_VERSION, 0, 0};
