// The interfaces of signals that are older than sigaction.
//
// libc would ask the kernel, which knows neither the masks of threads nor which handlers are the
// program's.  Here each function is written in terms of the newer ones, which the runtime replaces.
#include <signal.h>
#include <string.h>

#include "objects.h"

static int change(int how, int sig) {
    sigset_t set;
    sigemptyset(&set);
    return sigaddset(&set, sig) != 0 ? -1 : sigprocmask(how, &set, NULL);
}

API int sighold(int sig) { return change(SIG_BLOCK, sig); }

API int sigrelse(int sig) { return change(SIG_UNBLOCK, sig); }

API int sigignore(int sig) {
    struct sigaction action = {.sa_handler = SIG_IGN};
    return sigaction(sig, &action, NULL);
}

static bool is_blocked(int sig) {
    sigset_t now;
    return sigprocmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, sig) == 1;
}

// SIG_HOLD blocks the signal and leaves its handler; anything else unblocks it.
API void (*sigset(int sig, void (*handler)(int)))(int) {
    struct sigaction action = {.sa_handler = handler}, old;
    bool holds = handler == SIG_HOLD;
    if (handler == SIG_ERR || sigaction(sig, holds ? NULL : &action, &old) != 0) {
        errno = EINVAL;
        return SIG_ERR;
    }
    bool held = is_blocked(sig);
    if (change(holds ? SIG_BLOCK : SIG_UNBLOCK, sig) != 0)
        return SIG_ERR;
    return held ? SIG_HOLD : old.sa_handler;
}

API int siginterrupt(int sig, int interrupts) {
    struct sigaction action;
    if (sigaction(sig, NULL, &action) != 0)
        return -1;
    action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return sigaction(sig, &action, NULL);
}

// A handler of System V runs only once, and its own signal may interrupt it.
API void (*__sysv_signal(int sig, void (*handler)(int)))(int) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    struct sigaction old;
    return sigaction(sig, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

API void (*sysv_signal(int sig, void (*handler)(int)))(int) { return __sysv_signal(sig, handler); }

API void (*bsd_signal(int sig, void (*handler)(int)))(int) { return signal(sig, handler); }

API void (*ssignal(int sig, void (*handler)(int)))(int) { return signal(sig, handler); }

API int gsignal(int sig) { return raise(sig); }

// ---------------------------------------------------------------- masks of 32 bits

// The 32 bits stand for the first signals of the mask; the other signals stay as they are.
static uint64_t with(int bits) { return (SELF->signal.mask & ~0xffffffffull) | (uint32_t)bits; }

static int set_bits(int how, int bits) {
    sigset_t set, old;
    sigemptyset(&set);
    *(uint64_t *)&set = how == SIG_SETMASK ? with(bits) : (uint32_t)bits;
    return sigprocmask(how, &set, &old) == 0 ? (int)*(uint64_t *)&old : -1;
}

API int sigblock(int bits) { return set_bits(SIG_BLOCK, bits); }

API int sigsetmask(int bits) { return set_bits(SIG_SETMASK, bits); }

API int siggetmask(void) { return sigblock(0); }

// sigpause of X/Open waits with that signal unblocked, sigpause of BSD with this mask.
API int __xpg_sigpause(int sig) {
    uint64_t mask = SELF->signal.mask & ~(1ull << ((unsigned)(sig - 1) & 63));
    return tslrt_suspend(&mask, TSL_HOT->call_site);
}

API int __sigpause(int sig_or_mask, int is_sig) {
    uint64_t mask = with(sig_or_mask);
    return is_sig ? __xpg_sigpause(sig_or_mask) : tslrt_suspend(&mask, TSL_HOT->call_site);
}

// The header renames sigpause to __xpg_sigpause; this is the symbol itself.
API int tslrt_bsd_sigpause(int mask) __asm__("sigpause");
API int tslrt_bsd_sigpause(int mask) { return __sigpause(mask, 0); }
