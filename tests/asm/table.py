#!/usr/bin/env python3
"""Inline assembly in two threads, by a table.

Every row of ADD adds one to a variable: by constraint, size, instruction and clobber.  It runs
against itself, against `x += 1` in C, and against a locked increment.  Whether an update can be
lost follows from whether both are one step; `optimal` and `dfs` must both find that out, and both
must come to an end.  Rows of LOAD and STORE run against each other: both orders must be seen.
Rows of QUIET touch nothing that others see: two threads full of them have one order.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Failed, Tap, campaign, compiled, work_folder  # noqa: E402

TYPES = {"b": "unsigned char", "w": "unsigned short", "l": "unsigned int", "q": "unsigned long"}


def add_rows():
    """(name, suffix, statements, is it one step)"""
    for s in TYPES:
        for lock in ("", "lock ", "lock; ", "lock\\n\\t"):
            one = bool(lock)
            n = f"{lock.strip() or 'plain'} {s}"
            yield f"{n} +m", s, f'asm volatile("{lock}inc{s} %0" : "+m"(x));', one
        for lock in ("", "lock "):
            one = bool(lock)
            n = f"{lock.strip() or 'plain'} {s}"
            yield f"{n} (r)", s, f'asm volatile("{lock}inc{s} (%0)" :: "r"(&x) : "memory");', one
            yield f"{n} xadd", s, f'T one = 1; asm volatile("{lock}xadd{s} %0, %1" : "+r"(one), "+m"(x) :: "memory");', one
            if s != "q":
                continue
            yield f"{n} +m clobber", s, f'asm volatile("{lock}inc{s} %0" : "+m"(x) :: "memory", "cc");', one
            yield f"{n} =m m", s, f'asm volatile("{lock}inc{s} %0" : "=m"(x) : "m"(x));', one
            yield f"{n} +o", s, f'asm volatile("{lock}add{s} $1, %0" : "+o"(x));', one
            yield f"{n} named", s, f'asm volatile("{lock}add{s} %[by], %[to]" : [to] "+m"(x) : [by] "i"(1));', one
            yield f"{n} register", s, f'asm volatile("{lock}add{s} %1, %0" : "+m"(x) : "r"((T)1));', one
            yield f"{n} 8(r)", s, f'asm volatile("{lock}inc{s} 8(%0)" :: "r"((char *)&x - 8) : "memory");', one
            yield f"{n} flags", s, f'unsigned char z; asm volatile("{lock}inc{s} %0; setz %1" : "+m"(x), "=qm"(z));', one
            yield f"{n} sub", s, f'asm volatile("{lock}sub{s} $-1, %0" : "+m"(x));', one
            yield f"{n} alternative", s, f'asm volatile("{{{lock}inc{s} %0|{lock}inc %0}}" : "+m"(x));', one
            yield f"{n} comment", s, f'asm volatile("{lock}inc{s} %0 # count\\n\\tnop" : "+m"(x));', one
            yield (
                f"{n} cmpxchg",
                s,
                f'T old = __atomic_load_n(&x, 5), seen; do {{ seen = old; asm volatile("{lock}cmpxchg{s} %2, %1" : "+a"(old), "+m"(x) : '
                '"r"((T)(old + 1)) : "memory"); } while (old != seen);',
                one,
            )
        if s == "q":
            yield "locked %a", s, 'asm volatile("lock incq %a0" :: "r"(&x) : "memory");', True
            yield "plain %a", s, 'asm volatile("incq %a0" :: "r"(&x) : "memory");', False
            yield "locked %H", s, 'asm volatile("lock incq %H0" : "+m"(*(struct big *)((char *)&x - 8)));', True
            yield "plain (%rdi)", s, 'asm volatile("incq (%%rdi)" :: "D"(&x) : "memory");', False
            yield "locked %c(r)", s, 'asm volatile("lock incq %c1(%0)" :: "r"((char *)&x - 24), "i"(24) : "memory");', True
            yield "locked %P(rip)", s, 'asm volatile("lock incq %P0(%%rip)" :: "i"(&x) : "memory");', True
            yield "bytes of lock", s, 'asm volatile(".byte 0xf0; incq %0" : "+m"(x) :: "memory");', True
            yield "xacquire", s, 'asm volatile("xacquire lock incq %0" : "+m"(x) :: "memory");', True
            yield "sections", s, (
                'asm volatile(".pushsection .locks,\\"a\\"\\n.balign 4\\n.long 671f - .\\n.popsection\\n'
                '671:\\n\\tlock; incq %0" : "+m"(x));'
            ), True
            yield "retried cmpxchg", s, (
                'T a, b; asm volatile("movq %2, %0\\n1: movq %0, %1\\n incq %1\\n lock cmpxchgq %1, %2\\n jnz 1b"'
                ' : "=&a"(a), "=&r"(b), "+m"(x) :: "memory", "cc");'
            ), True
            yield "goto", s, 'asm goto("lock incq %0; jz %l[out]" :: "m"(x) : "memory", "cc" : out); out:;', True
            yield (
                "goto loop",
                s,
                'again: asm goto("lock btsq $0, %0; jc %l[again]" :: "m"(lock) : "memory", "cc" : again);'
                ' asm volatile("incq %0" : "+m"(x)); asm volatile("movq $0, %0" : "=m"(lock) :: "memory");',
                True,
            )
        yield f"locked struct {s}", s, f'asm volatile("lock inc{s} %0" : "+m"(*(struct big *)&x));', True
        yield (
            f"xchg loop {s}",
            s,
            f'T one = 1; do asm volatile("xchg{s} %0, %1" : "+r"(one), "+m"(lock) :: "memory"); while (one);'
            f' asm volatile("inc{s} %0" : "+m"(x)); asm volatile("mov{s} $0, %0" : "=m"(lock) :: "memory");',
            True,
        )


def load_rows():
    for s in TYPES:
        for clobber in ("", ' : "memory"'):
            yield f"load {s} m{clobber}", s, f'asm volatile("mov{s} %1, %0" : "=r"(seen) : "m"(x){clobber});'
        yield f"load {s} (r)", s, f'asm volatile("mov{s} (%1), %0" : "=r"(seen) : "r"(&x) : "memory");'
        yield f"load {s} cmp", s, f'unsigned char z; asm volatile("cmp{s} $0, %1; setne %0" : "=q"(z) : "m"(x)); seen = z;'
        yield f"load {s} locked", s, f'T z = 0; asm volatile("lock xadd{s} %0, %1" : "+r"(z), "+m"(x)); seen = z;'
        yield f"load {s} C", s, "seen = x;"


def store_rows():
    for s in TYPES:
        for clobber in ("", ' : "memory"'):
            colon = " :" if clobber else ""
            yield f"store {s} =m{clobber}", s, f'asm volatile("mov{s} $1, %0" : "=m"(x){colon}{clobber});'
            yield f"store {s} register{clobber}", s, f'asm volatile("mov{s} %1, %0" : "=m"(x) : "r"((T)1){clobber});'
        yield f"store {s} (r)", s, f'asm volatile("mov{s} $1, (%0)" :: "r"(&x) : "memory");'
        yield f"store {s} xchg", s, f'T z = 1; asm volatile("xchg{s} %0, %1" : "+r"(z), "+m"(x) :: "memory");'
        yield f"store {s} bts", s, f'asm volatile("lock bts{"w" if s == "b" else s} %{dict(b="w", w="w", l="k", q="q")[s]}1, %0" : "+m"(x) : "r"(0l));'
        yield f"store {s} C", s, "x = 1;"
        yield f"store {s} opaque", s, f'asm volatile("push %%rdi; mov %0, %%rdi; cld; mov $1, %%al; stosb; pop %%rdi" :: "r"(&x) : "memory", "rax");'


QUIET = [
    'asm volatile("" ::: "memory");',
    'asm volatile("" : "+m"(x));',
    'asm volatile("pause");',
    'asm volatile("pause" ::: "memory");',
    'asm volatile("rep; nop" ::: "memory");',
    'asm volatile(".byte 0xf3, 0x90" ::: "memory");',
    'asm volatile("nop; nop\\n\\tnop");',
    'asm volatile("mfence" ::: "memory");',
    'asm volatile("lfence" ::: "memory");',
    'asm volatile("sfence" ::: "memory");',
    'asm volatile("mfence; lfence" ::: "memory");',
    'asm volatile("lock; addl $0, 0(%%rsp)" ::: "memory", "cc");',
    'asm volatile("lock orl $0, (%%rsp)" ::: "memory", "cc");',
    'asm volatile("prefetcht0 %0" :: "m"(x));',
    'unsigned r = 1; asm volatile("bswap %0" : "+r"(r));',
    'unsigned r = 1; asm volatile("addl $1, %0; rol $3, %0" : "+r"(r) :: "cc");',
    'unsigned r; asm volatile("movl %1, %0" : "=rm"(r) : "r"(3));',
    'T r = 1; asm volatile("incb %0" : "+m"(r));',
    'int r[2]; asm volatile("movl $1, %0" : "=m"(r[1]) :: "memory");',
]


class Cases:
    """One program with all cases; the first argument selects."""

    def __init__(self):
        self.body, self.n = [], 0

    def function(self, suffix, text):
        self.n += 1
        code = text.replace("(T)", f"({TYPES[suffix]})").replace("T ", f"{TYPES[suffix]} ")
        for word in ("x", "lock", "seen"):
            code = rename(code, word, suffix)
        self.body.append(f"static void f{self.n}(void) {{ {code} }}")
        return self.n

    def source(self):
        variables = "\n".join(
            f"static {t} x_{s} __attribute__((aligned(16))), lock_{s}, seen_{s} = 7;" for s, t in TYPES.items()
        )
        table = ", ".join(f"f{i}" for i in range(1, self.n + 1))
        return f"""#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define asm __asm__
struct big {{ unsigned char a[64]; }};
{variables}
{chr(10).join(self.body)}
static void (*const all[])(void) = {{0, {table}}};
static void *run(void *f) {{ all[*(int *)f](); return 0; }}
int main(int argc, char **argv) {{
    static int which[2];
    int wanted = atoi(argv[3]), reads = argv[4][0] == 'r';
    which[0] = atoi(argv[1]);
    which[1] = atoi(argv[2]);
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, run, &which[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    unsigned long sum = 1ul * x_b + x_w + x_l + x_q;
    unsigned long saw = seen_b != 7 ? seen_b : seen_w != 7 ? seen_w : seen_l != 7 ? seen_l : seen_q;
    if (reads)
        assert(saw != (unsigned)wanted);
    else
        assert(wanted < 0 || sum == (unsigned)wanted);
}}
"""


def rename(code, word, suffix):
    out, i = [], 0
    quoted = False
    while i < len(code):
        if code[i] == '"':
            quoted = not quoted
        before = code[i - 1] if i else " "
        after = code[i + len(word)] if i + len(word) < len(code) else " "
        if not quoted and code.startswith(word, i) and not (before.isalnum() or before == "_") and not (
            after.isalnum() or after == "_"
        ):
            out.append(f"{word}_{suffix}")
            i += len(word)
        else:
            out.append(code[i])
            i += 1
    return "".join(out)


class Suite(Tap):
    program = None

    def test(self, strategy, *args):
        try:
            return campaign(self.program, "--strategy", strategy, "-t", "20", args=args)
        except Failed as why:
            return {"error": str(why)[-300:]}

    def verdicts(self, *args):
        """Per strategy: kinds of bugs found, and whether the search came to an end."""
        out = {}
        for strategy in ("optimal", "dfs"):
            r = self.test(strategy, *args)
            kinds = sorted({b["kind"] for b in r.get("bugs", [])})
            out[strategy] = (kinds, r.get("verdict"), r.get("error"))
        return out


def asserts(v):
    return {s: "assertion" in kinds for s, (kinds, _, _) in v.items()}


def main():
    cases = Cases()
    adds = [(n, s, cases.function(s, t), one) for n, s, t, one in add_rows()]
    plain = {s: cases.function(s, "x += 1;") for s in TYPES}
    locked = {s: cases.function(s, f'asm volatile("lock inc{s} %0" : "+m"(x));') for s in TYPES}
    loads = [(n, s, cases.function(s, t)) for n, s, t in load_rows()]
    stores = [(n, s, cases.function(s, t)) for n, s, t in store_rows()]
    quiet = [(t, cases.function("l", t)) for t in QUIET]
    suite = Suite()
    with work_folder() as folder:
        try:
            suite.program, why = compiled(folder / "cases", cases.source(), "-w"), ""
        except Failed as error:
            why = str(error)
        suite.point(not why, "the cases compile", why)
        if not why:
            run_all(suite, adds, plain, locked, loads, stores, quiet)
    return suite.end()


def run_all(suite, adds, plain, locked, loads, stores, quiet):
    for name, s, f, one in adds:
        partners = [(name, f, one), ("x += 1", plain[s], False), ("lock inc", locked[s], True)]
        if not name.endswith("+m"):
            partners.pop(0 if one else 1)
        for other, g, other_one in partners:
            if other == "x += 1" and "loop" in name:
                continue  # the lock does not keep out who does not take it
            expected = not (one and other_one) if "loop" not in name else other != name
            v = suite.verdicts(f, g, 2, "a")
            right = all(a == expected for a in asserts(v).values())
            if one and other_one and not expected:
                right = right and not any(kinds for kinds, _, _ in v.values())
            suite.point(right, f"{name} against {other}", repr(v))
    for n, s, f in loads:
        for m, t, g in stores:
            if s == t and (s == "l" or n.endswith("C") or m.endswith("C")):
                seen = [asserts(suite.verdicts(f, g, k, "r")) for k in (0, 1)]
                suite.point(all(all(v.values()) for v in seen), f"{n} against {m}", repr(seen))
    for text, f in quiet:
        r = suite.test("optimal", f, f, -1, "a")
        suite.point(not r.get("bugs") and r.get("executions") == 1, text, json.dumps(r)[:600])


sys.exit(main())
