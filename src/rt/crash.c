// Fatal signals are outcomes.
//
// The handler runs on a stack of its own, writes into the Trace what happened to which thread, and
// ends the process; the server starts the next one.  A signal that the program handles is passed to
// its handler.  The tool sends SIGXCPU if a run takes too long.
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "crash.h"
#include "print.h"
#include "quick.h"
#include "start.h"
#include "sync/objects.h"
#include "sys.h"

#define BIT(sig) (1ull << ((sig)-1))

const uint64_t tslrt_signals_fatal = BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) |
                                     BIT(SIGTRAP) | BIT(SIGSYS) | BIT(SIGABRT) | BIT(SIGXCPU);

typedef struct kernel_action { // as rt_sigaction takes it
    void *handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
} kernel_action;

static const char *signal_name(int sig) {
#define NAME(sig) [sig] = #sig
    static const char *const names[] = {
        NAME(SIGSEGV), NAME(SIGBUS),  NAME(SIGFPE),  NAME(SIGILL),  NAME(SIGTRAP), NAME(SIGSYS),
        NAME(SIGABRT), NAME(SIGKILL), NAME(SIGTERM), NAME(SIGINT),  NAME(SIGHUP),  NAME(SIGPIPE),
        NAME(SIGUSR1), NAME(SIGUSR2), NAME(SIGALRM), NAME(SIGQUIT),
    };
#undef NAME
    bool known = sig > 0 && (size_t)sig < sizeof names / sizeof *names && names[sig];
    return known ? names[sig] : "a signal";
}

static void context_of(const ucontext_t *context, uint64_t *pc, uintptr_t *fp, uintptr_t *sp) {
#if defined(__x86_64__)
    *pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    *fp = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
    *sp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
    *pc = context->uc_mcontext.pc;
    *fp = context->uc_mcontext.regs[29];
    *sp = context->uc_mcontext.sp;
#endif
}

static bool in_guard(const tslrt_fiber *fiber, uintptr_t a) {
    // Large frames jump far: anywhere between the stack and the thread-local variables.
    return fiber->stack.high && a < fiber->stack.low &&
           a >= fiber->stack.high - TSL_STACK_STRIDE + (16ul << 20);
}

// The stack of the crashed thread: pc + 1, as readers expect return addresses, then its callers.
static void fill_crash_stack(const ucontext_t *context) {
    tsl_trace_head *trace = RUN->trace.head;
    uint64_t pc;
    uintptr_t fp, sp;
    context_of(context, &pc, &fp, &sp);
    for (uint32_t i = 0; i < trace->nthreads; i++) {
        tsl_thread_info *info = &trace->threads[i];
        if (SELF && info->thread == SELF->id)
            info->nframes = (uint16_t)tslrt_walk(pc + 1, fp, SELF->stack.low, SELF->stack.high,
                                                 info->frames, TSL_MAX_FRAMES);
    }
}

static bool is_fatal(int sig) { return tslrt_signals_fatal & BIT(sig); }

static noreturn void publish_and_die(unsigned outcome, const void *about, const char *message,
                                     const ucontext_t *context, int sig) {
    if (RUN->end.begun) // between two runs: there is no Trace to tell it in
        tslrt_exit_now(1);
    if (SELF)
        SELF->context.low_mark = SELF->stack.low;
    RUN->faulted = true;
    tslrt_note_pending();
    tslrt_fill(outcome, TSL_HOT->call_site, about, message);
    RUN->trace.head->signal = sig;
    fill_crash_stack(context);
    tslrt_ipc_end();
    if (tslrt->kind == RT_SERVED)
        tslrt_publish();
    tslrt_exit_now(0);
}

void tslrt_die_by(int sig) {
    kernel_action action = {0};
    tslrt_sys4(SYS_rt_sigaction, sig, &action, NULL, 8);
    tslrt_sys2(SYS_kill, tslrt_sys0(SYS_getpid), sig);
}

static void set_handler(int sig, void (*handler)(int)) {
    tslrt_registry *r = tslrt_reg_change();
    uint64_t bit = BIT(sig);
    r->signal_actions[sig].handler = handler;
    r->handled = (uintptr_t)handler > 1 ? r->handled | bit : r->handled & ~bit;
}

// Runs the program's handler.  Returns the mask from before, which the caller puts back.
static uint64_t program_handler(int sig, siginfo_t *info, void *context) {
    void *handler = (void *)tslrt_reg()->signal_actions[sig].handler;
    uint64_t own = tslrt_reg()->signal_actions[sig].flags & SA_NODEFER ? 0 : BIT(sig);
    int code = SELF->signal.sends.code; // of a call that this handler interrupts
    void *value = SELF->signal.sends.value;
    // The first handler that ends a sigsuspend restores the mask from before that call.
    uint64_t before = SELF->signal.swaps_mask ? SELF->signal.before : SELF->signal.mask;
    SELF->signal.swaps_mask = false;
    SELF->signal.mask |= tslrt_reg()->signal_actions[sig].mask | own;
    if (tslrt_reg()->signal_actions[sig].flags & SA_RESETHAND)
        set_handler(sig, SIG_DFL);
    if (tslrt->uses.sends)
        tslrt_recording_update();
    tslrt_foreign_back(handler, SELF->pend.site);
    tslrt_handling handling = {SELF->signal.handling};
    SELF->signal.handling = &handling;
    if (tslrt_reg()->signal_actions[sig].flags & SA_SIGINFO)
        ((void (*)(int, siginfo_t *, void *))handler)(sig, info, context);
    else
        ((void (*)(int))handler)(sig);
    SELF->signal.handling = handling.outer;
    tslrt_sent_by(code, value);
    SELF->interrupt.handled = true;
    return before;
}

static unsigned fill_limit(char *text, size_t size) {
    if (tslrt->hang.out_of_fuel)
        tslrt_format(text, size, "%lu accesses of the only thread there is, and no end",
                     (unsigned long)RUN->plan->max_steps * TSLRT_SOLO_FACTOR);
    else
        tslrt_format(text, size, "the run was still going when its time was up");
    return tslrt->hang.out_of_fuel ? TSL_OUT_STEP_LIMIT : TSL_OUT_TIME_LIMIT;
}

static unsigned classify(int sig, const siginfo_t *info, char *text, size_t size) {
    uintptr_t a = (uintptr_t)info->si_addr;
    if (sig == SIGXCPU)
        return fill_limit(text, size);
    if (sig == SIGSEGV && SELF && in_guard(SELF, a)) {
        tslrt_format(text, size, "stack overflow: all %lu KiB are used up",
                     (unsigned long)(SELF->stack.high - SELF->stack.low) >> 10);
        return TSL_OUT_STACK;
    }
    if (sig == SIGSEGV && a - (TSL_HEAP_ADDR >> 3) < TSL_HEAP_SIZE >> 3) {
        tslrt_format(text, size, "access to %p, where no heap is", (void *)(a << 3));
        return TSL_OUT_HEAP_OVERFLOW;
    }
    if (sig == SIGSEGV || sig == SIGBUS)
        tslrt_format(text, size, "%s at address %p", signal_name(sig), info->si_addr);
    else
        tslrt_format(text, size, "%s", signal_name(sig));
    return TSL_OUT_SIGNAL;
}

static void fill_hang(char *text, size_t size) {
    tslrt_format(text, size,
                 "the loop never ends: after %lu instructions everything is as it was, and nobody "
                 "is left to change it",
                 (unsigned long)tslrt_hang_length());
}

// The run's time is up, and it goes on only to find out whether it would ever end (hang.c).
// Returns false if the signal has nothing to do with that.
static bool on_hunt(int sig, const siginfo_t *info, void *context) {
    char text[TSL_MESSAGE];
    if (sig == SIGSEGV && tslrt_hang_fault(info->si_addr))
        return true;
    if (sig == SIGXCPU && !RUN->end.begun) // the time is up, but hang.c needs only a moment more
        return true;
    if (sig != SIGTRAP || RUN->end.begun) {
        tslrt_hang_stop(context);
        tslrt->hang.out_of_fuel &= !RUN->end.begun; // is not for the next run
        return sig == SIGTRAP;
    }
    enum tslrt_hang answer = tslrt_hang_step(context);
    unsigned outcome = TSL_OUT_HANG;
    if (answer == TSLRT_HANG_PERHAPS)
        return true;
    if (answer == TSLRT_HANG_PROVEN)
        fill_hang(text, sizeof text);
    else
        outcome = fill_limit(text, sizeof text);
    publish_and_die(outcome, NULL, text, context, 0);
}

// All threads share the alternate stack.  While a handler of one thread runs, another thread may be
// scheduled and meet a fault, too.  So handlers run on the stack of their thread, with a copy of
// everything that the kernel has put on the alternate one.
#if defined(__x86_64__)
enum { RED_ZONE = 128, LEAST_ROOM = 1 << 16 };

__attribute__((used, visibility("hidden"))) void tslrt_handle_fault(int sig, siginfo_t *info,
                                                                    void *context);
void tslrt_handle_fault(int sig, siginfo_t *info, void *context) {
    SELF->signal.mask = program_handler(sig, info, context);
}

extern noreturn void tslrt_handle_there(int sig, siginfo_t *info, void *context, uintptr_t fp);
__asm__(".text\n.globl tslrt_handle_there\n.hidden tslrt_handle_there\n"
        "tslrt_handle_there:\n  movq %rdx, %rsp\n  movq %rdx, %rbx\n  movq %rcx, %rbp\n"
        "  call tslrt_handle_fault\n  movq %rbx, %rsp\n  movl $15, %eax\n  syscall\n");

// Returns only if there is no room on the stack.
static void handle_on_own_stack(int sig, siginfo_t *info, ucontext_t *context) {
    uintptr_t from = (uintptr_t)context, end = TSLRT_ALTSTACK_AT + TSLRT_ALTSTACK_SIZE;
    uint64_t pc;
    uintptr_t fp, sp;
    context_of(context, &pc, &fp, &sp);
    if (from < TSLRT_ALTSTACK_AT || from >= end || sp > SELF->stack.high ||
        sp < SELF->stack.low + LEAST_ROOM + (end - from))
        return;
    uintptr_t to = sp - RED_ZONE - (end - from);
    to -= (to - from) & 63; // the registers of vectors stay aligned
    memcpy((void *)to, context, end - from);
    ucontext_t *copy = (ucontext_t *)to;
    if ((uintptr_t)copy->uc_mcontext.fpregs - from < end - from)
        copy->uc_mcontext.fpregs = (void *)((uintptr_t)copy->uc_mcontext.fpregs + (to - from));
    if (to < TSL_HOT->low_stack)
        TSL_HOT->low_stack = to;
    tslrt_handle_there(sig, (siginfo_t *)((uintptr_t)info + (to - from)), copy, fp);
}
#else
static void handle_on_own_stack(int sig, siginfo_t *info, ucontext_t *context) {
    (void)sig, (void)info, (void)context;
}
#endif

static void on_signal(int sig, siginfo_t *info, void *context) {
    if (sig == SIGXCPU && RUN->end.begun)
        return; // between two runs there is nothing to stop
    if (tslrt->hang.hunt && on_hunt(sig, info, context))
        return;
    if (tslrt->kind == RT_EARLY || tslrt->kind == RT_CHILD || !SELF) {
        tslrt_die_by(sig);
        return;
    }
    if (sig != SIGXCPU && sig <= 64 && (uintptr_t)tslrt_reg()->signal_actions[sig].handler > 1) {
        handle_on_own_stack(sig, info, context);
        SELF->signal.mask = program_handler(sig, info, context);
        return;
    }
    if (tslrt->kind != RT_SERVED) {
        if (tslrt->kind == RT_REPLAY)
            teasel_bug(signal_name(sig));
        tslrt_die_by(sig); // an ordinary program dies, and a debugger sees it
        return;
    }
    if (sig == SIGXCPU && !tslrt->hang.hunt && tslrt_hang_begin(context))
        return;
    char text[TSL_MESSAGE];
    unsigned outcome = classify(sig, info, text, sizeof text);
    publish_and_die(outcome, info->si_addr, text, context, sig);
}

extern void tslrt_restorer(void);
#if defined(__x86_64__)
__asm__(".text\n.globl tslrt_restorer\n.hidden tslrt_restorer\n"
        "tslrt_restorer:\n  movl $15, %eax\n  syscall\n");
#endif

static void install(int sig, void *handler, unsigned long flags) {
    kernel_action action = {.handler = handler, .flags = flags};
#if defined(__x86_64__)
    action.flags |= 0x04000000; // SA_RESTORER
    action.restorer = tslrt_restorer;
#endif
    tslrt_sys4(SYS_rt_sigaction, sig, &action, NULL, 8);
}

// Raises the signal for a run whose time is up: its handler can watch the rest of the run.
void tslrt_out_of_fuel(uint32_t site) {
    TSL_HOT->call_site = site;
    tslrt->hang.out_of_fuel = true;
    if (tslrt->kind == RT_SERVED)
        tslrt_sys2(SYS_kill, tslrt_sys0(SYS_getpid), SIGXCPU);
    else
        tslrt_end(TSL_OUT_STEP_LIMIT, site, NULL,
                  "%lu accesses of the only thread there is, and no end",
                  (unsigned long)RUN->plan->max_steps * TSLRT_SOLO_FACTOR);
}

void tslrt_signal_default(int sig) { install(sig, NULL, 0); }

void tslrt_signal_own(int sig, void (*handler)(int)) { install(sig, (void *)handler, SA_RESTART); }

void tslrt_crash_install(void) {
    stack_t stack = {.ss_sp = (void *)TSLRT_ALTSTACK_AT, .ss_size = TSLRT_ALTSTACK_SIZE};
    tslrt_sys2(SYS_sigaltstack, &stack, NULL);
    for (int sig = 1; sig <= 64; sig++)
        if (is_fatal(sig))
            install(sig, (void *)on_signal, SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
}

// ---------------------------------------------------------------- the program's own handlers

// Threads look for signals only while there are handlers.
static void changed_handlers(void) {
    if (RUN->count.unjoined > 1)
        tslrt_weaken(TSL_REASON_INTERRUPTION,
                     "a signal handler was set while there were several threads: "
                     "signals before that were not tried everywhere");
    tslrt_recording_update();
}

// A signal from outside that the program handles.  Its handler runs at once.  While no thread can
// run, the signal is only noted, and then passed to a waiting thread (sync/patience.c).
static void on_outside(int sig, siginfo_t *info, void *context) {
    int kept = errno;
    if (RUN->end.begun || (!SELF && tslrt->kind != RT_EARLY))
        return;
    if ((uintptr_t)tslrt_reg()->signal_actions[sig].handler <= 1) { // tslrt_signal_from_timer
        if (tslrt->kind == RT_CHILD || tslrt->kind == RT_ALONE)
            tslrt_die_by(sig);
        return;
    }
    if (SELF && (RUN->patience.waits || tslrt_signal_is_blocked(SELF, sig)))
        RUN->patience.arrived |= BIT(sig);
    else if (SELF)
        SELF->signal.mask = program_handler(sig, info, context);
    errno = kept;
}

static void install_program(int sig, void *handler, unsigned long flags) {
    bool ours = (uintptr_t)handler > 1 && tslrt->kind != RT_EARLY;
    unsigned long kept = flags & ~(unsigned long)(SA_ONSTACK | SA_RESETHAND);
    install(sig, ours ? (void *)on_outside : handler,
            ours ? kept | SA_SIGINFO : flags & ~(unsigned long)SA_ONSTACK);
}

// How long a run takes here says nothing about other machines.  So a timer whose signal would end
// the process does so only when no thread can run.
void tslrt_signal_from_timer(int sig) {
    bool dies = tslrt_signals_deadly() & BIT(sig);
    if (is_fatal(sig) || (tslrt->kind != RT_SERVED && tslrt->kind != RT_REPLAY))
        return;
    tslrt_reg_change()->signal_actions[sig].from_timer = true;
    if (dies)
        install(sig, (void *)on_outside, SA_SIGINFO | SA_RESTART);
}

static void set_action(int sig, void *handler, unsigned long flags, uint64_t mask) {
    tslrt_reg_change()->signal_actions[sig].mask = mask;
    uint64_t before = tslrt_reg()->handled;
    set_handler(sig, (void (*)(int))handler);
    tslrt_reg()->signal_actions[sig].flags = flags;
    if (tslrt->uses.sends && before != tslrt_reg()->handled && SELF)
        changed_handlers();
    if (SELF && TSL_HOT->recording != TSL_RECORD_NOTHING && (is_fatal(sig) || sig == SIGPIPE))
        tslrt_weaken(TSL_REASON_INTERRUPTION,
                     "what a fault or SIGPIPE does was changed while there were several threads: "
                     "that another thread meets it before is not tried");
    if (sig >= SIGRTMIN)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "real-time signals are not controlled: they arrive by the real clock");
    if (!is_fatal(sig))
        install_program(sig, handler, flags);
    if (tslrt_reg()->signal_actions[sig].from_timer)
        tslrt_signal_from_timer(sig);
}

API int sigaction(int sig, const struct sigaction *new, struct sigaction *old) {
    tslrt_init();
    if (sig < 1 || sig > 64 || sig == SIGKILL || sig == SIGSTOP)
        return tslrt_fail(EINVAL);
    if (old) {
        memset(old, 0, sizeof *old);
        old->sa_handler = tslrt_reg()->signal_actions[sig].handler;
        old->sa_flags = (int)tslrt_reg()->signal_actions[sig].flags;
        *(uint64_t *)&old->sa_mask = tslrt_reg()->signal_actions[sig].mask;
        tslrt_wrote(old, sizeof *old);
    }
    if (new)
        set_action(sig, (void *)new->sa_handler, (unsigned)new->sa_flags,
                   *(const uint64_t *)&new->sa_mask);
    return 0;
}

API void (*signal(int sig, void (*handler)(int)))(int) {
    if (tslrt_mapped && SELF)
        tslrt_state_step(TSL_STATE_SIGNALS, TSL_ROLE_WRITE);
    struct sigaction new = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(sig, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

// Stop signals of a terminal do nothing, because nobody could continue the program.
static bool is_harmless(int sig) {
    bool stops = sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
    return stops || sig == SIGCHLD || sig == SIGCONT || sig == SIGURG || sig == SIGWINCH;
}

noreturn void tslrt_signal_kills(int sig, const char *why) {
    RUN->trace.head->signal = sig;
    tslrt_end(sig == SIGABRT ? TSL_OUT_ABORT : TSL_OUT_SIGNAL, tslrt_take_site(), NULL, "%s, %s",
              signal_name(sig), why);
}

uint64_t tslrt_signals_deadly(void) {
    uint64_t all = 0;
    for (int sig = 1; sig <= 64; sig++)
        if (tslrt_reg()->signal_actions[sig].handler == SIG_DFL && !is_harmless(sig))
            all |= BIT(sig);
    return all;
}

int tslrt_signal_act_on(const tslrt_sent *sent) {
    int sig = sent->sig;
    void (*handler)(int) = sig >= 1 && sig <= 64 ? tslrt_reg()->signal_actions[sig].handler : NULL;
    if (handler == SIG_IGN)
        return 0;
    if (handler != SIG_DFL) {
        siginfo_t info;
        tslrt_sent_tell(sent, &info);
        tslrt_signal_handled(program_handler(sig, &info, NULL));
        return 0;
    }
    bool ours = tslrt_watched() && sig != SIGSTOP && sig != 0;
    if (ours && is_harmless(sig))
        return 0;
    if (ours)
        tslrt_signal_kills(sig, "raised by the program itself");
    tslrt_sends(sig);
    return (int)tslrt_sys2(SYS_kill, tslrt_sys0(SYS_getpid), sig);
}

// The program sends itself a signal.  SIGKILL must be noted in the Trace before.
void tslrt_sends(int sig) {
    if (sig == SIGKILL && tslrt->kind == RT_SERVED)
        RUN->trace.head->flags |= TSL_TRACE_KILLS;
}

int tslrt_raise(int sig) {
    bool controlled = tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD && SELF;
    if (controlled && sig > 0 && sig <= 64 && tslrt_signal_is_blocked(SELF, sig)) {
        tslrt_signal_to_self(sig);
        return 0;
    }
    uint32_t site = TSL_HOT->call_site;
    if (controlled && tslrt->hidden.roles[TSL_STATE_SIGNALS] &
                          1u << TSL_ROLE_WRITE) // what it does may be changed
        tslrt_state_step(TSL_STATE_SIGNALS, TSL_ROLE_READ);
    TSL_HOT->call_site = site;
    tslrt_sent now = {.sig = (uint8_t)sig, .code = SI_TKILL};
    if (SELF)
        now = tslrt_sent_now(sig);
    return tslrt_signal_act_on(&now);
}

API int raise(int sig) {
    tslrt_sent_by(SI_TKILL, NULL);
    return tslrt_raise(sig);
}

void tslrt_signals_reset(void) {
    uint64_t none = 0;
    tslrt_sys4(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
    for (int sig = 1; sig <= 64; sig++)
        if ((tslrt_reg()->signal_actions[sig].handler !=
                 tslrt->fresh.registry.signal_actions[sig].handler ||
             tslrt_reg()->signal_actions[sig].from_timer) &&
            !is_fatal(sig))
            install_program(sig, (void *)tslrt->fresh.registry.signal_actions[sig].handler, 0);
}
