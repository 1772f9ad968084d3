#!/usr/bin/env python3
"""Traps whose result nobody uses.

Every case is compiled by clang -O0 and by teasel-cc, alone and with -O2, and run alone with harmless and with
harmful values.  All must end by the same signal, or by none.  Even at -O0 clang drops some divisions and
loads that are statements of their own: there the instrumented program may trap, because the source does.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import TEASEL_CC, Failed, Tap, call, work_folder  # noqa: E402

INTEGERS = ["int", "unsigned", "long", "unsigned long", "long long", "short", "unsigned char", "__int128", "unsigned __int128"]


def cases():
    """Bodies of functions; z is 0 or 2, q is null or points to memory, m is -1 or 1, least is INT_MIN."""
    for t in INTEGERS:
        for op in "/%":
            yield f"{t} a = 9; a {op} ({t})z;"
            yield f"{t} a = 9, b = z; {t} c = a {op} b; (void)c;"
    for op in "/%":
        yield f"int c = least {op} m; (void)c;"
        yield f"long c = LONG_MIN {op} (long)m; (void)c;"
        yield f"int c = least {op} (m < 0 ? -1 : 1); (void)c;"
        yield f"typedef int v4 __attribute__((vector_size(16))); v4 a = {{1, 2, 3, 4}}, b = {{1, 1, z, 1}}; a {op} b;"
        yield f"_BitInt(40) a = 9, b = z; a {op} b;"
    for use in (
        "int a[4]; a[1] = 9 / z;",
        "int a[2]; a[0] = 9 / z; a[0] = 1; sink = a[0];",
        "int a = 9 / z; a = 1; sink = a;",
        "sink = 0 * (9 / z);",
        "sink = (9 / z) & 0;",
        "int a = 9 / z; sink = a - a;",
        "quotient(z);",
        "(void)quotient(z);",
        "int (*f)(int) = quotient; f(z);",
        "if (9 / z) {}",
        "while (9 / z > 100) {}",
        "switch (9 / z) {}",
        "int a = z ? 1 : 9 / z; (void)a;",
        "9 / z, 1;",
        "z && 9 / z;",
        "int none = 0; if (z == 0) 9 / none;",
        "int a = 9; a /= z;",
        "int a = 9; a %= z;",
        "struct { int a, b; } s = {9 / z, 1}; sink = s.b;",
        "int a = 5; if (9 / z > 100) a = 6; (void)a;",
        "for (int i = 0; i < 3; i++) 9 / z;",
        "int d = z; if (d != 0) sink = 1; sink = 9 / d * 0;",
    ):
        yield use
    for t in ("char", "short", "int", "long", "float", "double", "void *", "struct pair", "struct big", "long double", "_Bool"):
        yield f"*({t} *)q;"
        yield f"{t} a = *({t} *)q; (void)a;"
        yield f"volatile {t} *p = q; *p;"
        yield f"(void)*({t} *)q;"
    for use in (
        "int *p = q; int a[2]; a[0] = *p;",
        "int *p = q; sink = *p * 0;",
        "int *p = q; int a = *p; sink = a ^ a;",
        "int *p = q; if (*p) {}",
        "int *p = q; while (*p == 77) {}",
        "int *p = q; switch (*p) {}",
        "int *p = q; *p == 3;",
        "int *p = q; p[0] + p[1];",
        "int *p = q; int a = *p; a = 3; sink = a;",
        "struct pair *p = q; p->b;",
        "struct pair *p = q; struct pair a = *p; sink = 1; (void)a;",
        "struct big *p = q; struct big a = *p; (void)a;",
        "struct big *p = q; struct big a; memcpy(&a, p, sizeof a);",
        "struct big *p = q; struct big a; memmove(&a, p, sizeof a);",
        "struct big *p = q; struct big a; __builtin_memcpy(&a, p, 8);",
        "struct big *p = q; memset(p, 0, 4);",
        "struct node *p = q; p->next; ",
        "struct node *p = q ? &chain : 0; struct node *o = p ? p->next : p; if (!q) o->next;",
        "look(q);",
        "(void)look(q);",
        "int *p = q; *p = 1; *p = 2;",
        "int *p = q; *p += 1;",
        "int *p = q; (*p)++;",
        "strlen(q ? \"a\" : (char *)q);",
        "(void)strlen(q ? \"a\" : (char *)q);",
        "strcmp(q ? \"a\" : (char *)q, \"b\");",
        "int *p = 0; if (!q) *p;",
        "int *p = 0; if (!q) sink = *p;",
        "if (!q) *(int *)0 = 1;",
        "if (!q) *(volatile int *)0;",
        "_Atomic int *p = q; *p;",
        "__atomic_load_n((int *)q, 0);",
        "void (*f)(void) = q ? nothing : 0; f();",
        "int (*p)[4] = q; (*p)[0];",
        "int *p = q; for (int i = 0; i < 2; i++) p[i];",
        "int *p = q; p && *p; if (!p) *p;",
        "int *p = (int *)(q ? q : (void *)0x123450); *p;",
        "char *p = q; sink = p ? 1 : p[5];",
        "union { int *p; long n; } u = {q}; *u.p;",
        "ignore(*(int *)q);",
        "pass_on(*(int *)q);",
        "second(*(int *)q, 1);",
        "nothing_of(*(int *)q);",
        "both(q);",
        "flag(*(_Bool *)q);",
        "char *s = \"abc\"; if (!z) s[0] = 'x';",
        "char *s = \"abc\"; if (!z) s[0] = 'a';",
        "char *s = \"abc\"; if (!z) s[0]++;",
        "char *s = \"abc\"; if (!z) memset(s, 0, 2);",
        "char *s = \"abc\"; for (int i = 0; !z && i < 3; i++) s[i] -= 32;",
        "if (!z) upper(\"abc\");",
        "if (!z) clear((int *)&fixed);",
        "if (!z) *(int *)&fixed = 3;",
        "if (!z) *(char *)__func__ = 1;",
        "static const struct pair c = {3, 4}; if (!z) *(struct pair *)&c = (struct pair){1, 2};",
        "static const struct pair c = {3, 4}; struct pair a = {1, 2}; if (!z) memcpy((void *)&c, &a, sizeof a);",
        "v4 *p = (v4 *)((char *)words + (z ? 0 : 1)), v = *p; sink = v[0];",
        "if (!z) __builtin_trap();",
        "if (!z) endless(1);",
        "if (!z) sink = endless(1);",
    ):
        yield use


HEAD = """#include <limits.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
struct big { long a[40]; };
struct node { struct node *next; };
static struct node chain = {&chain};
int sink, z, m, least = INT_MIN;
void *q;
static int quotient(int by) { return 9 / by; }
static int look(int *p) { return *p; }
static void nothing(void) {}
static void ignore(int a) {}
static void pass_on(int a) { ignore(a); }
static void second(int a, int b) { sink = b; }
static int nothing_of(int a) { return 0; }
static struct pair both(int *p) { struct pair s = {*p, 1}; return s; }
static void flag(_Bool a) {}
static void upper(char *s) { s[0] = 'A'; }
static const int fixed = 7;
static void clear(int *p) { *p = 0; }
typedef int v4 __attribute__((vector_size(16)));
static v4 words[4];
static int endless(int n) { return endless(n + 1); }
"""


def source(bodies):
    text = HEAD
    for i, body in enumerate(bodies):
        text += f"static void f{i}(void) {{ {body} }}\n"
    table = ", ".join(f"f{i}" for i in range(len(bodies)))
    return text + f"""static void (*const all[])(void) = {{{table}}};
int main(int argc, char **argv) {{
    static struct big some;
    int bad = atoi(argv[2]);
    z = bad ? 0 : 2;
    m = bad ? -1 : 1;
    q = bad ? 0 : &some;
    all[atoi(argv[1])]();
    return 0;
}}
"""


def ended(*words):
    try:
        return call(*words, timeout=20).returncode
    except Failed:
        return "no end"


def main():
    bodies, tap = list(cases()), Tap()
    builds = {"native": ["clang-19", "-O0"], "teasel-cc": [TEASEL_CC], "teasel-cc -O2": [TEASEL_CC, "-O2"]}
    with work_folder() as folder:
        path = folder / "traps.c"
        path.write_text(source(bodies))
        for i, command in enumerate(builds.values()):
            call(*command, "-w", path, "-o", folder / str(i)).check_returncode()
        for n, body in enumerate(bodies):
            for bad in (0, 1):
                codes = [ended(folder / str(i), n, bad) for i, name in enumerate(builds)
                         if not (name.endswith("-O2") and "endless" in body)]
                native, ours = codes[0], set(codes[1:])
                ok = ours == {native} or (bad and native == 0 and len(ours) == 1)
                tap.point(ok, f"{'harmful' if bad else 'harmless'}: {body}", codes)
    return tap.end()


sys.exit(main())
