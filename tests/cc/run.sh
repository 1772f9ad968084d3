#!/bin/sh
# Every way a build calls a C compiler, tried on teasel-cc.  Prints TAP.
#
#   TEASEL_CC=PATH tests/cc/run.sh      (default: bin/teasel-cc of this checkout)
#
# Each check is a line of shell that must succeed; `refute` turns one around.
# What needs the runtime (linking and running) is skipped when it is not built.
# cpu: 19

# The checks are quoted because check runs them, and what it runs uses the functions below.
# shellcheck disable=SC2016,SC2317
. "$(dirname "$0")/../lib.sh"
tcc=${TEASEL_CC:-$root/bin/teasel-cc}
tcc=$(readlink -f "$tcc")
runtime=$(dirname "$tcc")/../lib/teasel/libteasel-$(uname -m).a
case $runtime in *arm64.a) runtime=${runtime%arm64.a}aarch64.a ;; esac

trap 'exit 1' INT TERM HUP
# Temporary files of the compiler go here, so that what it leaves behind is seen.
mkdir "$work/tmp" "$work/dir" && cd "$work/dir" || exit 1
TMPDIR=$work/tmp
export TMPDIR

said=$work/log
check() { # check NAME COMMAND: the command, run by a fresh shell, must succeed
    (eval "$2") >"$said" 2>&1
    point $? "$1"
}
check_rt() { # as check, when there is a runtime to link
    if [ -f "$runtime" ]; then check "$1" "$2"; else skip "$1" "no runtime at $runtime"; fi
}
refute() { ! "$@"; }
status_is() { # status_is N COMMAND...
    want=$1
    shift
    "$@"
    got=$?
    [ "$got" -eq "$want" ] || { echo "exit status $got, expected $want"; return 1; }
}
hooks_of() { # hooks FILE [FLAGS]: hook calls of the function f, one name per line
    "$tcc" --dump-after=instrument -c "$@" | sed -n '/^define .*@f(/,/^}/p' |
        grep -oE 'call (void|ptr) @__teasel_[a-z_]*' | sed 's/.*@__teasel_//' | grep -v '^sym_'
}
count() { # count HOOK FILE [FLAGS]
    hook=$1
    shift
    hooks_of "$@" | grep -c "^$hook\$"
}
same() { [ "$1" = "$2" ] || { echo "got '$1', expected '$2'"; return 1; }; }
symbol() { nm "$1" | grep -q " $2\$"; } # symbol FILE 'T name'

cat >one.h <<'X'
#define ONE 1
X
cat >a.c <<'X'
#include "one.h"
int shared;
int b(void);
int main(void) { shared = ONE; return b() - 2; }
X
cat >b.c <<'X'
extern int shared;
int b(void) { return shared + 1; }
X
cat >asm.s <<'X'
	.text
	.globl b
b:	ret
	.section .note.GNU-stack,"",@progbits
X
cat >bad.c <<'X'
int f(void) { return undeclared; }
X

# ---------------------------------------------------------------- compiling

check '-c names the object after the source' '"$tcc" -c a.c && symbol a.o "T main"'
check 'objects are instrumented' 'symbol a.o "U __teasel_register"'
check 'the fast paths leave no symbol' 'refute symbol a.o "[TtU] __teasel_access"'
check '-o' '"$tcc" -c b.c -o x.o && symbol x.o "T b"'
check '-o joined' '"$tcc" -c b.c -ojoined.o && symbol joined.o "T b"'
check '-c with several sources' 'rm -f a.o b.o; "$tcc" -c a.c b.c && test -f a.o -a -f b.o'
check '-c -o with several sources is refused by clang' 'refute "$tcc" -c a.c b.c -o both.o'
check '-S writes assembly' '"$tcc" -S b.c && grep -q "^b:" b.s && grep -q teasel_sites b.s'
check '-S -emit-llvm writes instrumented IR' '"$tcc" -S -emit-llvm b.c && grep -q "@b(" b.ll'
check '-E preprocesses' '"$tcc" -E a.c | grep -q "shared = 1"'
check '__TEASEL__ is defined' 'echo __TEASEL__ | "$tcc" -E -P -x c - | grep -qx 1'
check '-dM -E' '"$tcc" -dM -E a.c | grep -q "ONE 1"'
check '-D -U -I -include' 'mkdir -p inc; echo "#define TWO 2" >inc/two.h
    printf "#include <two.h>\n#ifdef NO\n#error NO\n#endif\nint a[ONE + TWO + THREE == 6 ? 1 : -1];" >d.c
    "$tcc" -c -I inc -DTHREE=3 -D NO -UNO -include one.h d.c'
check 'standard input' 'echo "int from_stdin;" | "$tcc" -c -x c - -o in.o && symbol in.o "[BC] from_stdin"'
check '-x c on a file of any name' 'cp b.c b.txt; "$tcc" -c -x c b.txt -o bt.o && symbol bt.o "T b"'
check '-x none ends -x' '"$tcc" -c -x c b.txt -x none b.c && test -f b.o'
check 'preprocessed source' '"$tcc" -E b.c -o b.i && "$tcc" -c b.i -o bi.o && symbol bi.o "T b"'
check 'assembler source' '"$tcc" -c asm.s && symbol asm.o "T b" && refute symbol asm.o "U __teasel_register"'
check 'assembler source with macros' 'printf "#define NAME b\n.globl NAME\nNAME: ret\n" >cpp.S
    "$tcc" -c cpp.S && symbol cpp.o "T b"'
check '@file' 'printf "%s" "-c b.c -DX=\"a b\" -o \"re sp.o\"" >args; "$tcc" @args && symbol "re sp.o" "T b"'
check '@file that is not there is clang'"'"'s error' 'refute "$tcc" -c @nowhere b.c'
check 'precompiled header' '"$tcc" -x c-header one.h -o one.h.pch && "$tcc" -c -include-pch one.h.pch a.c'
check 'bitcode as input' 'clang-19 -g -c -emit-llvm b.c -o in.bc && "$tcc" -c in.bc -o inbc.o && symbol inbc.o "U __teasel_register"'
check '-fPIC, sections, -march' '"$tcc" -c -fPIC -ffunction-sections -march=native b.c && objdump -h b.o | grep -q "text.b"'
check '-O levels' 'for o in -O -O0 -O1 -O2 -O3 -Os -Oz -Og -Ofast; do "$tcc" -w $o -c b.c || exit 1; done'
check '-O2 defines __OPTIMIZE__' '"$tcc" -O2 -dM -E b.c | grep -q __OPTIMIZE__'
check '_FORTIFY_SOURCE is off' 'printf "#ifdef _FORTIFY_SOURCE\n#error on\n#endif\n" >fo.c
    "$tcc" -O2 -D_FORTIFY_SOURCE=2 -c fo.c && "$tcc" -O2 -Wp,-D_FORTIFY_SOURCE=2 -c fo.c'
check '-flto and -save-temps are ignored' '"$tcc" -c -flto -flto=auto -save-temps b.c -o lto.o && readelf -h lto.o && refute test -f b.bc'
check '-Werror sees no warnings of ours' '"$tcc" -Wall -Wextra -Werror -c a.c -lm'
check '--coverage names its files after the object' 'mkdir -p cov; "$tcc" --coverage -c b.c -o cov/b.o && test -f cov/b.gcno && strings cov/b.o | grep -q "/cov/b.gcda"'
check '-g0 still has lines' '"$tcc" -g0 --dump-after=instrument -c b.c | grep -q "!dbg"'
check 'a target that is not there is refused' 'status_is 2 "$tcc" --target=riscv64-linux-gnu -c b.c && status_is 2 "$tcc" -m32 -c b.c'

# ---------------------------------------------------------------- dependencies

check '-M' '"$tcc" -M a.c | grep -q "^a.o: a.c one.h"'
check '-MM -MF' '"$tcc" -MM -MF mm.d a.c && grep -q "one.h" mm.d'
check '-MD names the object and the .d file' 'rm -f a.d; "$tcc" -MD -c a.c && same "$(cat a.d | tr -d "\\\\\n" | tr -s " ")" "a.o: a.c one.h"'
check '-MD with -o' 'mkdir -p out; "$tcc" -MMD -c a.c -o out/x.o && grep -q "^out/x.o: a.c" out/x.d'
check '-MF -MT -MP' '"$tcc" -MMD -MF f.d -MT tgt -MP -c a.c && grep -q "^tgt: a.c" f.d && grep -q "^one.h:" f.d'
check '-MQ quotes' '"$tcc" -MD -MF q.d -MQ "a\$b" -c a.c && grep -q "^a\$\$b:" q.d'
check '-Wp,-MD,FILE' '"$tcc" -Wp,-MD,wp.d -c a.c && grep -q "^a.o: a.c" wp.d'
check '-MD while linking' 'refute "$tcc" -MD a.c -o linked && grep -q "^linked: a.c" linked.d'

# ---------------------------------------------------------------- going straight to clang

check '--version' '"$tcc" --version | grep -q "clang version"'
check '-v without inputs' '"$tcc" -v 2>&1 | grep -q "clang version"'
check '-dumpversion, -dumpmachine' '"$tcc" -dumpversion && "$tcc" -dumpmachine | grep -q linux'
check '-print-file-name' '"$tcc" -print-file-name=libc.so.6 | grep -q libc'
check '-###' '"$tcc" -### -c b.c 2>&1 | grep -q cc1'
check 'no input files' '"$tcc" 2>&1 | grep -q "no input files"; status_is 1 "$tcc"'
check '-fsyntax-only' 'rm -f b.o; "$tcc" -fsyntax-only b.c && refute test -f b.o'
check 'unknown flags are clang'"'"'s to judge' '"$tcc" -c --no-such-flag b.c 2>&1 | grep -q "unknown argument\|unsupported option"'
check 'a compile error has clang'"'"'s text and status' '"$tcc" -c bad.c 2>&1 | grep -q "bad.c:1:22: error: use of undeclared" && status_is 1 "$tcc" -c bad.c'
check 'one bad source does not keep the others back' 'rm -f b.o; status_is 1 "$tcc" -c bad.c b.c && test -f b.o'
check 'a missing file' '"$tcc" -c nowhere.c 2>&1 | grep -q "no such file"; status_is 1 "$tcc" -c nowhere.c'

# ---------------------------------------------------------------- flags of its own

check '--print-command prints' '"$tcc" --print-command a.c b.c -o "my prog" | grep -q -- "-emit-llvm" &&
    same "$("$tcc" --print-command a.c b.c -o "my prog" | wc -l)" 7 && "$tcc" --print-command a.c -o "my prog" | grep -q "'"'my prog'"'"'
check '--print-command does nothing' 'rm -f a.o; "$tcc" --print-command -c a.c >/dev/null && refute test -f a.o'
check 'what it prints can be run' 'rm -f b.o; mkdir -p "$TMPDIR/p"; "$tcc" --print-command -c b.c | sed "s#teasel-cc.XXXXXX#p#g" >cmd && sh -e cmd; r=$?; rm -rf "$TMPDIR/p"; test $r -eq 0 -a -f b.o'
check '--teasel-help' '"$tcc" --teasel-help | grep -q "dump-after"'
check '--dump-after stages' 'for s in frontend promote instrument link; do "$tcc" --dump-after=$s -c b.c | grep -q "define.*@b(" || exit 1; done
    "$tcc" --dump-after=frontend -c b.c | refute grep -q __teasel && "$tcc" --dump-after=link -c b.c | grep -q "define internal.*@__teasel_access"'
check '--dump-after writes nothing else' 'rm -f b.o; "$tcc" --dump-after=link -c b.c >/dev/null && refute test -f b.o'
check '--dump-after of nothing known' 'status_is 2 "$tcc" --dump-after=x -c b.c'
check 'C++ is refused in one line' 'echo "int x;" >p.cpp; status_is 2 "$tcc" -c p.cpp && same "$("$tcc" -c p.cpp 2>&1 | wc -l)" 1 && status_is 2 "$tcc" -x c++ -c b.c'
check '-fsanitize=address and its like are refused' 'for s in address thread memory leak undefined,address; do status_is 2 "$tcc" -fsanitize=$s -c b.c || exit 1; done'
check '-fsanitize=undefined is not' '"$tcc" -fsanitize=undefined -c b.c'
check '-static is refused when linking, not with -c' 'status_is 2 "$tcc" -static a.c b.c && "$tcc" -static -c b.c'
check 'another clang through TEASEL_CLANG' 'TEASEL_CLANG=/nowhere/clang status_is 2 "$tcc" -c b.c'

# ---------------------------------------------------------------- what is instrumented

hooked() { # hooked NAME BODY EXPECTED [FLAGS]: all hooks of f, in order
    cat >h.c <<X
#include <stdatomic.h>
#include <string.h>
struct big { long a[40]; };
int g; static int sg; volatile int v; _Atomic int at; const int k[4]; int *p;
struct big g1, g2; _Thread_local int tl; long long w; long double ld;
extern int other(int); extern void take(int *); int (*fp)(int);
static int local_fn(int x) { return x; }
$2
X
    expected=$3
    shift 3
    same "$(hooks_of h.c -w "$@" | tr '\n' ' ')" "${expected:+$expected }"
}
h() { check "hooks: $1" "hooked $(printf "'%s' '%s' '%s'" "$1" "$2" "$3") ${4:-}"; }

h 'a global is announced' 'int f(void) { g = 1; return sg; }' 'access access'
h 'a local scalar is not' 'int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }' ''
h 'a local array is not' 'int f(int n) { int a[4] = {0}; a[n & 3] = 1; return a[0]; }' ''
h 'a local whose address escapes is' 'int f(void) { int x = 1; take(&x); return x; }' 'access extern access'
h 'nothing is lost with -O2' 'int f(void) { g = 1; g = 2; return g + g; }' 'access access access access' -O2
h 'constants are not' 'int f(int n) { return k[n & 3]; }' ''
h 'volatile has its kind' 'int f(void) { return v; }' 'access'
h 'through a pointer' 'int f(int *q) { return *q; }' 'access'
h 'thread-local variables are' 'int f(void) { return tl; }' 'access'
h 'atomics' 'int f(void) { at++; at = 1; return at; }' 'atomic atomic atomic'
h 'compare and swap tells its result' 'int f(void) { int e = 0; return atomic_compare_exchange_strong(&at, &e, 1); }' 'atomic cas_result'
h 'a local atomic is not' 'int f(void) { _Atomic int x = 0; x++; return x; }' ''
h 'fences, but not for signals' 'void f(void) { atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_seq_cst); }' 'fence'
h 'struct copy: read and written' 'void f(void) { g1 = g2; }' 'copy'
h 'memcpy, memset' 'void f(void) { memcpy(&g1, &g2, 8 * g); memset(&g1, 0, sizeof g1); }' 'access copy range'
h 'copy from a local: one range' 'void f(void) { struct big b = {{1}}; g1 = b; }' 'range'
h 'by-value argument is read by the call' 'int by(struct big b) { return b.a[1]; } int f(void) { return by(g1); }' 'range'
h 'calls out of the module' 'int f(void) { return other(1); }' 'extern'
h 'calls inside need none' 'int f(void) { return local_fn(1); }' ''
h 'calls through pointers' 'int f(void) { return fp(1); }' 'access icall icall_done'
h 'assembly with a memory clobber' 'void f(void) { __asm__ volatile("rep stosb" ::: "memory"); }' 'asm'
h 'assembly whose instructions touch no memory' 'void f(void) { __asm__ volatile("pushfq; popfq" ::: "memory"); }' ''
h 'locked assembly is atomic' 'void f(void) { __asm__ volatile("lock incl %0" : "+m"(g)); }' 'atomic rmw_result'
h 'without a lock it is two steps' 'void f(void) { __asm__ volatile("incl %0" : "+m"(g)); }' 'access access'
h 'an operand that is read' 'int f(void) { int x; __asm__("movl %1, %0" : "=r"(x) : "m"(g)); return x; }' 'access'
h 'an operand of an unknown instruction' 'void f(void) { __asm__ volatile("fnstcw %0" : "=m"(g)); }' 'access'
h 'a pointer in a register' 'void f(int *q) { __asm__ volatile("xchgl %%eax, (%0)" :: "r"(q) : "eax"); }' 'atomic rmw_result'
h 'several instructions are one step' 'void f(void) { __asm__ volatile("incl %0; incl %1" : "+m"(g), "+m"(sg)); }' 'asm access also'
h 'a local operand is none' 'int f(void) { int x = 1; __asm__("incl %0" : "+m"(x)); return x; }' ''
h 'a fence in assembly' 'void f(void) { __asm__ volatile("mfence" ::: "memory"); }' 'fence'
h 'a hint is nothing' 'void f(void) { __asm__ volatile("nop" ::: "memory"); }' ''
h 'compiler barrier is no assembly' 'void f(void) { __asm__ volatile("" ::: "memory"); }' ''
h 'assembly on registers is none' 'int f(int x) { __asm__("neg %0" : "+r"(x)); return x; }' ''
h 'big frames' 'void f(void) { char c[4096]; take((int *)c); }' 'frame extern'
h 'dynamic allocas' 'void f(int n) { char c[n]; take((int *)c); }' 'frame extern'
h 'an inline function of a header' 'inline int hi(void) { return g; } int f(void) { return hi(); }' 'extern' -O2
h 'an endless loop stays' 'void f(void) { for (;;) ; }' ''

check 'volatile accesses are VREAD and VWRITE, orders are C11' 'cat >kinds.c <<X
#include <stdio.h>
#include "abi/wire.h"
int main(void) { printf("%d 4 %d 4 %d 4 3 ", TSL_EV_VREAD, TSL_EV_VWRITE, TSL_EV_AWRITE); }
X
    cat >h.c <<X
volatile int v; _Atomic int at;
void f(void) { v = v; __c11_atomic_store(&at, 1, __ATOMIC_RELEASE); }
X
    clang-19 -I "$here/../../src" kinds.c -o kinds
    "$tcc" --dump-after=instrument -c h.c | grep "call void @__teasel_a" |
        sed "s/.*i32 %[0-9]*, //; s/).*//; s/i32 //g; s/i64 //g; s/,//g" | tr "\n" " " >got
    same "$(cat got)" "$(./kinds)"'
check 'libc functions are redirected, also by address' 'cat >h.c <<X
#include <string.h>
unsigned long (*fp)(const char *) = strlen;
int f(const char *s) { return strlen(s) + !strcmp(s, "x"); }
X
    "$tcc" -c h.c && symbol h.o "U __teasel_strlen" && symbol h.o "U __teasel_strcmp" && refute symbol h.o "U strlen"'
check 'a function of its own is not redirected' 'cat >h.c <<X
unsigned long strlen(const char *s) { return *s; }
int f(const char *s) { return strlen(s); }
X
    "$tcc" -fno-builtin -c h.c && symbol h.o "T strlen" && refute symbol h.o "U __teasel_strlen"'
check 'reach_error is, although it has a body' 'cat >h.c <<X
void reach_error(void) { __builtin_trap(); }
int f(int x) { if (x) reach_error(); return 0; }
X
    "$tcc" -c h.c && symbol h.o "U __teasel_reach_error"'
check 'a missing function stays a link error' 'printf "int nowhere(void);\nint main(void) { return nowhere(); }" >m.c
    refute "$tcc" m.c -o m 2>/dev/null'
check 'a weak function stays weak' 'printf "int maybe(void) __attribute__((weak));\nint f(void) { return maybe ? maybe() : 0; }" >m.c
    "$tcc" -c m.c && symbol m.o "w maybe"'
check 'thread-local variables are emulated' 'printf "extern _Thread_local int e; _Thread_local int t; static _Thread_local int s; int f(void) { return e + t + s++; }" >m.c
    "$tcc" -fPIC -c m.c && symbol m.o "U __emutls_v.e" && symbol m.o "[DB] __emutls_v.t" && symbol m.o "U __emutls_get_address"'
check 'odd C compiles' 'cat >odd.c <<X
#include <setjmp.h>
#include <stdarg.h>
typedef int v4 __attribute__((vector_size(16)));
jmp_buf jb; v4 gv; _Complex double gc; __int128 gi; long double ld; _Bool gb;
struct { unsigned a : 3, b : 7; int c : 20; } bf;
_Atomic struct { int a, b, c; } as; _Atomic __int128 a16; _Atomic float af;
int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
int vla(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[n - 1]; }
int cg(int x) { static void *t[] = {&&a, &&b}; goto *t[x & 1]; a: return 1; b: return 2; }
int kr(a, b) int a; char b; { return a + b; }
int jump(void) { if (setjmp(jb)) return 1; longjmp(jb, 1); }
__attribute__((naked)) void nk(void) { __asm__("ret"); }
static int impl(void) { return 1; }
static void *resolve(void) { return (void *)impl; }
int indirect(void) __attribute__((ifunc("resolve")));
int aliased(void) __attribute__((alias("impl2"))); int impl2(void) { return aliased(); }
__attribute__((optnone)) int on(int x) { return x; }
__attribute__((constructor(101))) static void early(void) { gi = 1; }
void f(void) { gv += 1; gc *= 2; gi <<= 3; ld += 1; gb ^= 1; bf.c = bf.a; as = as; a16++; af += 1; }
X
    for o in -O0 -O2 "-O2 -fPIC" "-O1 -fexceptions" "-std=gnu89" "-mcmodel=large" "-fshort-wchar"; do "$tcc" -w $o -c odd.c || exit 1; done'
check 'ifunc resolvers are left alone' '"$tcc" -w --dump-after=instrument -c odd.c | sed -n "/define.*@resolve(/,/^}/p" | refute grep -q __teasel'

# ---------------------------------------------------------------- linking

check '-r links objects without the runtime' '"$tcc" -c a.c b.c && "$tcc" -r a.o b.o -o r.o && symbol r.o "T main" && refute symbol r.o "T __teasel_register"'
check '-shared links without the runtime' '"$tcc" -shared -fPIC b.c -o libb.so && nm -D libb.so | grep -q "U __teasel_register"'
check '-shared with -z defs' '"$tcc" -shared -fPIC -Wl,-z,defs -Wl,--no-undefined b.c -o libdefs.so -Wl,--unresolved-symbols=ignore-all || "$tcc" -shared -fPIC -Wl,-z,defs b.c -o libdefs.so'
check_rt 'several sources in one command' '"$tcc" a.c b.c -lm -o prog && ./prog'
check_rt 'a.out by default' 'rm -f a.out; "$tcc" a.c b.c && ./a.out'
check_rt 'link only' '"$tcc" -c a.c b.c && "$tcc" a.o b.o -o prog2 && ./prog2'
check_rt 'source and object mixed' '"$tcc" -c b.c && "$tcc" a.c b.o -o prog3 && ./prog3'
check_rt 'static archive, -L -l' 'rm -f libs.a; "$tcc" -c b.c && ar rcs libs.a b.o && "$tcc" a.c -L. -ls -o prog4 && ./prog4'
check_rt 'shared library' 'printf "extern int shared; int b(void) { return shared + 1; }" >sb.c
    "$tcc" -shared -fPIC sb.c -o libsb.so && "$tcc" a.c -L. -lsb -Wl,-rpath,. -o prog5 && ./prog5'
check_rt 'plugin with dlopen' 'printf "#include <stdlib.h>\nint plug(void) { int *p = malloc(4); *p = 7; int r = *p; free(p); return r; }" >plug.c
    printf "#include <dlfcn.h>\nint main(void) { void *h = dlopen(\"./plug.so\", RTLD_NOW); int (*f)(void) = (int (*)(void))dlsym(h, \"plug\"); return f() - 7; }" >host.c
    "$tcc" -shared -fPIC plug.c -o plug.so && "$tcc" host.c -o host && ./host'
check_rt '-nostartfiles keeps the runtime, -nostdlib has none' '"$tcc" --print-command -nostartfiles a.o | grep -q libteasel && "$tcc" --print-command -nostdlib a.o | refute grep -q libteasel'
check_rt 'not a PIE' '"$tcc" -fno-pie -no-pie a.c b.c -o nopie && ./nopie'
check_rt 'assembler source in a link' 'printf "int b(void); int main(void) { b(); return 0; }" >ma.c; "$tcc" ma.c asm.s -o withasm && ./withasm'
check_rt '-v shows the link' '"$tcc" -v a.c b.c -o pv 2>&1 | grep -q "/ld\"\? \|collect2\| ld "'
check_rt 'gc-sections' '"$tcc" -ffunction-sections -Wl,--gc-sections a.c b.c -o gc && ./gc'
names_of_libc() { nm -D --defined-only "$("$tcc" -print-file-name=libc.so.6)" | sed 's/.* //; s/@.*//' | sort -u; }
only_known_names() { # are visible in the runtime: those of libc, of the compiler, and of tools for inputs
    names_of_libc >of_libc
    nm -g --defined-only "$runtime" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u | comm -23 - of_libc |
        refute grep -vE '^((__)?teasel|__atomic|__sync|__emutls|__VERIFIER|klee)_|^__Crest'
}
check_rt 'of the runtime only names that programs call are visible' 'only_known_names'
use_names() { # in a program that has a function of each name that only the runtime uses
    names_of_libc >of_libc
    nm "$runtime" 2>/dev/null | awk '$2 ~ /[A-Z]/ { out[$3] } $2 ~ /[a-z]/ { inside[$3] }
        END { for (name in inside) if (!(name in out)) print name }' | grep -x '[a-z_][a-z0-9_]*' | sort | comm -23 - of_libc >names
    [ "$(wc -l <names)" -gt 500 ] || return 1
    awk '{ printf "int f%d(void) __asm__(\"%s\");\nint f%d(void) { return 1; }\n", NR, $0, NR }
        END { print "int main(void) { return f1() - 1; }" }' names >all_names.c
    "$tcc" -w all_names.c -o all_names && ./all_names
}
check_rt 'a program may use any name that the runtime uses inside' 'use_names'
check_rt 'real lines in the debug information' '"$tcc" -g a.c b.c -o dbg && objdump --dwarf=decodedline dbg | grep -q "a.c"'

# ---------------------------------------------------------------- build systems

project() { rm -rf "p-$1" && cp -r "$here/projects/$1" "p-$1" && cd "p-$1" || exit 1; }
check_rt 'a Makefile project' 'project make && make CC="$tcc" prog && ./prog && touch queue.h && make -n CC="$tcc" | grep -q "main.o"'
check_rt 'a CMake project with a shared library' 'command -v cmake && project cmake && cmake -S . -B b -DCMAKE_C_COMPILER="$tcc" && cmake --build b && ./b/prog'
check_rt 'an autoconf project' 'command -v autoreconf && project autoconf && autoreconf -i && mkdir b && cd b && CC="$tcc" ../configure && make && ./prog'

# ---------------------------------------------------------------- tidiness

check 'no temporary file is left' 'same "$(ls -A "$TMPDIR")" ""'
check 'also after a signal' 'mkfifo fifo; "$tcc" -c -x c fifo -o s.o & pid=$!; sleep 1; test -n "$(ls -A "$TMPDIR")" && kill $pid; wait $pid; same "$(ls -A "$TMPDIR")" ""'

echo "1..$count"
