#!/usr/bin/env python3
"""Questions to the machine: counters, random numbers, the processor, the thread pointer.

Every row asks in its own way.  The program prints what it was told in main and in a second thread; run twice, and
run by `teasel selfcheck`, it must be told the same.  Counters must go up, random numbers differ, thread pointers
differ between threads and stay the same in one.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import TEASEL, Failed, Tap, call, compiled, work_folder  # noqa: E402

TIME, RANDOM, THREAD, CPU = "time", "random", "thread", "cpu"
ROWS = [
    (TIME, "return __builtin_ia32_rdtsc();"),
    (TIME, "unsigned a; return __builtin_ia32_rdtscp(&a) + a;"),
    (TIME, "return __builtin_readcyclecounter();"),
    (TIME, "return __rdtsc();"),
    (TIME, 'unsigned a, d; asm volatile("rdtsc" : "=a"(a), "=d"(d)); return a | (u64)d << 32;'),
    (TIME, 'unsigned a, d; asm volatile("RDTSC" : "=a"(a), "=d"(d)); return a | (u64)d << 32;'),
    (TIME, 'unsigned long a, d; asm volatile("rdtsc" : "=a"(a), "=d"(d)); return a | d << 32;'),
    (TIME, 'u64 a; asm volatile("rdtsc\\n\\tshlq $32, %%rdx\\n\\torq %%rdx, %%rax" : "=a"(a) :: "rdx", "cc"); return a;'),
    (TIME, 'unsigned a, d; asm volatile("lfence; rdtsc; lfence" : "=a"(a), "=d"(d) :: "memory"); return a | (u64)d << 32;'),
    (TIME, 'unsigned a, d, c; asm volatile("rdtscp" : "=a"(a), "=d"(d), "=c"(c)); return (a | (u64)d << 32) + c;'),
    (TIME, 'unsigned a, d; asm volatile("mfence\\n rdtscp\\n" : "=a"(a), "=d"(d) :: "rcx", "memory"); return a | (u64)d << 32;'),
    (
        TIME,
        'unsigned h, l; asm volatile("cpuid\\n\\trdtsc\\n\\tmov %%edx, %0\\n\\tmov %%eax, %1" : "=&r"(h), "=&r"(l) '
        ': "a"(0) : "rbx", "rcx", "rdx"); return l | (u64)h << 32;',
    ),
    (RANDOM, "unsigned long long r = 0; if (!RDRAND(_rdrand64_step)(&r)) return 0; return r;"),
    (RANDOM, "unsigned r = 0; if (!RDRAND(_rdrand32_step)(&r)) return 0; return r;"),
    (RANDOM, 'u64 r; unsigned char ok; asm volatile("rdrand %0; setc %1" : "=r"(r), "=qm"(ok) :: "cc"); return ok ? r : 0;'),
    (RANDOM, 'u64 r; asm volatile("1: rdrand %0\\n jnc 1b" : "=r"(r) :: "cc"); return r;'),
    (RANDOM, 'unsigned r; asm volatile("rdrand %0" : "=r"(r) :: "cc"); return r;'),
    (RANDOM, 'u64 r; asm volatile("rdseed %0" : "=r"(r) :: "cc"); return r;'),
    (RANDOM, 'unsigned r; asm volatile("rdrandl %%eax" : "=a"(r) :: "cc"); return r;'),
    (THREAD, "return (u64)__builtin_thread_pointer();"),
    (THREAD, 'void *p; asm("mov %%fs:0, %0" : "=r"(p)); return (u64)p;'),
    (THREAD, 'void *p; asm volatile("movq %%fs:0x0, %0" : "=r"(p)); return (u64)p;'),
    (THREAD, 'void *p; asm volatile("movq %%fs:16, %0" : "=r"(p)); return (u64)p;'),
    (THREAD, 'void *p; asm volatile("movq %%fs:0x10, %%rax; movq %%rax, %0" : "=r"(p) :: "rax"); return (u64)p;'),
    (THREAD, 'u64 p, *at = 0; asm("movq %%fs:%1, %0" : "=r"(p) : "m"(*at)); return p;'),
    (THREAD, 'u64 p, *at = (u64 *)16; asm volatile("mov %%fs:%1, %q0" : "=r"(p) : "m"(*at)); return p;'),
    (THREAD, 'u64 p; asm volatile("rdfsbase %0" : "=r"(p)); return p;'),
    (THREAD, "return *(u64 __seg_fs *)0;"),
    (THREAD, "return (u64) * (void *__seg_fs *)16;"),
    (THREAD, "return (u64)pthread_self();"),
    (CPU, 'unsigned a = 1, b, c = 0, d; asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d)); return b;'),
    (CPU, "unsigned a, b, c, d; __cpuid(1, a, b, c, d); return b;"),
    (CPU, "unsigned a, b, c, d; __cpuid_count(11, 0, a, b, c, d); return d;"),
]

SOURCE = """#include <cpuid.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>
#define asm __asm__
typedef unsigned long u64;
#define RDRAND(f) f
__attribute__((target("rdrnd,rdseed"))) static u64 ask(void) { BODY }
static u64 told[3][2];
static void *other(void *where) {
    for (int i = 0; i < 2; i++)
        ((u64 *)where)[i] = ask();
    return 0;
}
int main(void) {
    pthread_t t[2];
    other(told[0]);
    for (long i = 0; i < 2; i++) {
        pthread_create(&t[i], 0, other, told[i + 1]);
        pthread_join(t[i], 0);
    }
    for (int i = 0; i < 3; i++)
        printf("%lx %lx ", told[i][0], told[i][1]);
    puts("");
}
"""


def is_right(kind, told):
    a = [told[2 * i : 2 * i + 2] for i in range(3)]
    if kind == TIME:
        return all(x < y for x, y in a)
    if kind == RANDOM:
        return len(set(told)) == 6 and 0 not in told
    if kind == THREAD:
        return all(x == y for x, y in a) and a[0] != a[1] and a[0][0] != 0
    return len(set(told)) == 1


def check(program, kind, body):
    """Failed if what is told is not right."""
    compiled(program, SOURCE.replace("BODY", body), "-w")
    runs = [call(program, timeout=20).stdout for _ in range(2)]
    if runs[0] != runs[1]:
        raise Failed(f"told {runs[0]} and then {runs[1]}")
    told = [int(x, 16) for x in re.findall(r"[0-9a-f]+", runs[0])]
    if len(told) != 6 or not is_right(kind, told):
        raise Failed(f"told {runs[0]}")
    done = call(TEASEL, "selfcheck", program, cwd=program.parent)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)


def main():
    tap = Tap()
    for kind, body in ROWS:
        with work_folder() as folder:
            tap.check(f"{kind}: {body}", check, folder / "ask", kind, body)
    return tap.end()


if __import__("platform").machine() != "x86_64":
    print("1..0 # skip these are instructions of x86-64")
    sys.exit(0)
sys.exit(main())
