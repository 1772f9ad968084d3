// Jumps: sigsetjmp keeps the mask of its thread, and siglongjmp puts it back.
//
// libc would ask the kernel, which sees all threads of the program as one.  So the thread's mask is
// stored in the part of the buffer that the kernel's mask leaves free, together with the stack
// pointer, which tells whether a jump leaves signal handlers.  The real function must find the
// registers as its caller left them, hence the assembly.
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "../start.h"
#include "objects.h"

#define NOTED 0x7ea5e1u

enum { MARK = 1, MASK = 2, STACK = 3 }; // words of the saved mask; word 0 is the kernel's

typedef struct __jmp_buf_tag jump_buffer;

void *tslrt_real_setjmp[3] __attribute__((visibility("hidden"))); // __sigsetjmp, _setjmp, setjmp

static void *real(unsigned which) {
    static const char *const names[] = {"__sigsetjmp", "_setjmp", "setjmp"};
    if (!tslrt_real_setjmp[which])
        tslrt_real_setjmp[which] = dlsym(RTLD_NEXT, names[which]);
    return tslrt_real_setjmp[which];
}

// Returns the function of libc to continue with.
__attribute__((visibility("hidden"))) void *tslrt_jump_note(jump_buffer *to, unsigned which,
                                                            uintptr_t stack);
void *tslrt_jump_note(jump_buffer *to, unsigned which, uintptr_t stack) {
    unsigned long *words = (unsigned long *)&to->__saved_mask;
    words[MARK] = NOTED;
    words[MASK] = tslrt_mapped && SELF ? SELF->signal.mask : 0;
    words[STACK] = stack;
    return real(which);
}

#if defined(__x86_64__)
#define ENTRY(name, which)                                                                         \
    __asm__(".text\n.weak " name "\n.type " name ", @function\n" name ":\n"                        \
            "  pushq %rdi\n  pushq %rsi\n  subq $8, %rsp\n"                                        \
            "  movl $" which ", %esi\n  leaq 24(%rsp), %rdx\n  call tslrt_jump_note\n"             \
            "  addq $8, %rsp\n  popq %rsi\n  popq %rdi\n  jmpq *%rax\n"                            \
            ".size " name ", . - " name "\n");
#else
#define ENTRY(name, which)                                                                         \
    __asm__(".text\n.weak " name "\n.type " name ", %function\n" name ":\n"                        \
            "  stp x29, x30, [sp, #-32]!\n  stp x0, x1, [sp, #16]\n"                               \
            "  mov w1, #" which "\n  add x2, sp, #32\n  bl tslrt_jump_note\n  mov x16, x0\n"       \
            "  ldp x0, x1, [sp, #16]\n  ldp x29, x30, [sp], #32\n  br x16\n"                       \
            ".size " name ", . - " name "\n");
#endif
ENTRY("__sigsetjmp", "0")
ENTRY("_setjmp", "1")
ENTRY("setjmp", "2")

// ---------------------------------------------------------------- back

// A wait that a handler has interrupted is not continued if the jump leaves that handler.
static void leave_handlers(uintptr_t stack) {
    tslrt_fiber *self = SELF;
    bool left = false;
    for (; self->signal.handling && (uintptr_t)self->signal.handling < stack; left = true)
        self->signal.handling = self->signal.handling->outer;
    if (!left)
        return;
    self->interrupt.kept = NULL;
    self->io.wait = NULL;
    self->signal.awaited = 0;
    self->interrupt.puts_off = self->wait.timed = self->interrupt.refused = self->cancel.at_point =
        false;
    self->signal.suspended = self->signal.swaps_mask = false;
}

static noreturn void jump(const jump_buffer *from, int value) {
    void (*back)(jump_buffer *, int) = (void (*)(jump_buffer *, int))dlsym(RTLD_NEXT, "longjmp");
    const unsigned long *words = (const unsigned long *)&from->__saved_mask;
    uint32_t site = TSL_HOT->call_site;
    jump_buffer to;
    memset(&to, 0, sizeof to); // says that no mask was saved, so libc does not ask the kernel
    memcpy(to.__jmpbuf, from->__jmpbuf, sizeof to.__jmpbuf);
    if (tslrt_mapped && SELF && words[MARK] == NOTED) {
        leave_handlers(words[STACK]);
        if (from->__mask_was_saved && SELF->signal.mask != words[MASK])
            tslrt_signal_set_mask(words[MASK], site);
    }
    back(&to, value);
    __builtin_unreachable();
}

API noreturn void longjmp(jump_buffer *from, int value) { jump(from, value); }

API noreturn void _longjmp(jump_buffer *from, int value) { jump(from, value); }

API noreturn void siglongjmp(jump_buffer *from, int value) { jump(from, value); }

API noreturn void __longjmp_chk(jump_buffer *from, int value) { jump(from, value); }
