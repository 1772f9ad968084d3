// System calls of the runtime, made directly: it must not call functions that it replaces for the
// program, nor touch the program's errno.
#ifndef TSLRT_SYS_H
#define TSLRT_SYS_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
static inline long tslrt_sys6(long n, long a, long b, long c, long d, long e, long f) {
    long ret;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(ret)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return ret;
}
#elif defined(__aarch64__)
static inline long tslrt_sys6(long n, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = n;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}
#else
#error "Teasel's runtime knows x86-64 and aarch64"
#endif

static inline noreturn void tslrt_exit_now(int status) {
    tslrt_sys6(SYS_exit_group, status, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

// Returns what the kernel does: a negative errno on failure.
#define tslrt_sys0(n) tslrt_sys6(n, 0, 0, 0, 0, 0, 0)
#define tslrt_sys1(n, a) tslrt_sys6(n, (long)(a), 0, 0, 0, 0, 0)
#define tslrt_sys2(n, a, b) tslrt_sys6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define tslrt_sys3(n, a, b, c) tslrt_sys6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define tslrt_sys4(n, a, b, c, d) tslrt_sys6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define tslrt_sys5(n, a, b, c, d, e)                                                               \
    tslrt_sys6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define tslrt_mmap(p, n, prot, flags, fd, off)                                                     \
    tslrt_sys6(SYS_mmap, (long)(p), (long)(n), prot, flags, fd, (long)(off))

// What a function of libc returns to the program, for an error and for what the kernel returned.
static inline int tslrt_fail(int error) {
    errno = error;
    return -1;
}
static inline long tslrt_returned(long got) {
    return got < 0 && got > -4096 ? tslrt_fail((int)-got) : got;
}

#endif
