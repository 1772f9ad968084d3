#!/bin/sh
# The table of libc against the real functions; libraries and plugins that are not instrumented.  Prints TAP.
# cpu: 45
# shellcheck disable=SC2016 # programs in single quotes
. "$(dirname "$0")/../lib.sh"
. "$here/rows.sh"

campaign() { # campaign PROGRAM STRATEGY
    teasel test --strategy "$2" --runs 2000 --json r.json --out kept "$1" >out 2>err
}

# ---------------------------------------------------------------- a library that is linked

cat >count.c <<'C'
static int count;
int count_up(void) { int seen = count; count = seen + 1; return count; }
C
cat >linked.c <<'C'
#include <pthread.h>
int count_up(void);
static void *worker(void *arg) { count_up(); return arg; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
${CC:-cc} -shared -fPIC -o libcount.so count.c && teasel-cc -g -o linked linked.c -L. -lcount -Wl,-rpath,"$work" >out 2>err
point $? "a program with a library that is not instrumented is built"
campaign ./linked optimal
json 'r["verdict"] != "complete" and "unknown-call" in str(r)'
point $? "a library that is not instrumented and called by two threads is never plain complete"
json '"count_up" in str(r) and "libcount.so" in str(r)'
point $? "the function and its library are named"
json 'r["traces"] == 2'
point $? "the two calls depend on each other: two orders"

# ---------------------------------------------------------------- what no schedule controls

# Every function of externs.def weakens the claim of a campaign in which some run calls it, by itself, from a
# constructor or through a pointer, and of no other.  Stubs stand in for the real ones: only the call matters.
# The runtime's own functions have no stubs, and look at their arguments: vfork, and timers, which tests/e2e calls.
names=$(sed -n 's/^TSL_UNCONTROLLED("\([a-z_]*\)".*/\1/p' "$root/src/abi/externs.def" | grep -v -e '^vfork$' -e '^timer_create$' -e '^timer_settime$')
{
    echo 'int strcmp(const char *a, const char *b);'
    echo 'int run_thread(void);'
    for name in $names; do echo "long $name();"; done
    echo 'static long (*const pointers[])() = {'
    for name in $names; do echo "    $name,"; done
    echo '};'
    echo 'static void call_all(void) {'
    for name in $names; do echo "    $name();"; done
    cat <<'C'
}
static void call(const char *how) {
    if (!strcmp(how, "calls"))
        call_all();
    for (unsigned i = 0; !strcmp(how, "pointers") && i < sizeof pointers / sizeof *pointers; i++)
        pointers[i]();
}
__attribute__((constructor)) static void early(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "early"))
        call_all();
}
int main(int argc, char **argv) {
    call(argc > 1 ? argv[1] : "");
    return run_thread();
}
C
} >wild.c
cat >thread.c <<'C'
#include <pthread.h>
static void *worker(void *arg) { return arg; }
int run_thread(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return pthread_join(thread, 0);
}
C
for name in $names; do echo "long $name(void) { return -1; }"; done >stubs.c
${CC:-cc} -fno-builtin -w -shared -fPIC -o libstubs.so stubs.c &&
    teasel-cc -g -w -std=gnu89 -fno-builtin -o wild wild.c thread.c -L. -lstubs -Wl,-rpath,"$work" >out 2>err
point $? "a program with every uncontrolled function is built"
for how in none early calls pointers; do
    teasel test --strategy optimal --json r.json --out kept ./wild -- $how >out 2>err
    if [ $how = none ]; then
        json 'r["verdict"] == "complete" and not r["reasons"]'
        point $? "functions that no schedule controls take nothing from a claim while nobody calls them"
        continue
    fi
    json 'r["verdict"] != "complete" and "uncontrolled" in r["reasons"]'
    point $? "uncontrolled functions weaken the claim ($how)"
    said=out
    missing=0
    for name in $names; do
        grep -q "note: .*($name)" out || missing=$((missing + 1))
    done
    point $missing "and every one of them is named ($how)"
done

# ---------------------------------------------------------------- a plugin

cat >plugin.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
static int (*count_up)(void);
static void *worker(void *arg) { count_up(); return arg; }
int main(void) {
    pthread_t a, b;
    void *plugin = dlopen("./libcount.so", RTLD_NOW);
    if (!plugin)
        return 3;
    count_up = (int (*)(void))dlsym(plugin, "count_up");
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
teasel-cc -g -o plugin plugin.c -ldl >out 2>err
point $? "a program that loads a plugin is built"
campaign ./plugin optimal
json 'r["verdict"] != "complete" and "count_up" in str(r) and "libcount.so" in str(r)'
point $? "a plugin that two threads call is named, and weakens the claim"
json 'r["traces"] == 2'
point $? "calls through pointers into a plugin depend on each other"

# ---------------------------------------------------------------- threads of its own, names of libc's

cat >starts.c <<'C'
#include <pthread.h>
static int count;
static void *worker(void *arg) { int seen = count; count = seen + 1; return arg; }
int count_up(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return count;
}
C
cat >starter.c <<'C'
#include <dlfcn.h>
int main(void) {
    void *plugin = dlopen("./libstarts.so", RTLD_NOW);
    return !plugin || ((int (*)(void))dlsym(plugin, "count_up"))() < 0;
}
C
${CC:-cc} -shared -fPIC -o libstarts.so starts.c && teasel-cc -g -o starter starter.c -ldl >out 2>err
campaign ./starter optimal
json 'r["verdict"] != "complete" and "unknown-call" in r["reasons"] and "libstarts.so" in str(r)'
point $? "a plugin with threads of its own is named, and weakens the claim"
cat >puts.c <<'C'
static int count;
int puts(const char *text) { return text ? count++ : 0; }
C
cat >prints.c <<'C'
#include <pthread.h>
#include <stdio.h>
static void *worker(void *arg) { puts("a"); return arg; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    puts("b");
    return pthread_join(a, 0);
}
C
${CC:-cc} -fno-builtin -shared -fPIC -o libputs.so puts.c && teasel-cc -g -o prints prints.c >out 2>err
campaign ./prints optimal
json 'r["verdict"] == "complete"'
point $? "a function of libc is described by its row"
LD_PRELOAD=$work/libputs.so campaign ./prints optimal
json 'r["verdict"] != "complete" and "unknown-call" in r["reasons"] and "puts of libputs.so" in str(r)'
point $? "another one with the same name is not"

# ---------------------------------------------------------------- all ways into code that is not instrumented

for part in foreign foreign_code; do cp "$root/tests/libc/$part.c" .; done
${CC:-cc} -g -c -o foreign_code.o foreign_code.c && ${CC:-cc} -w -o ways foreign.c foreign_code.o &&
    teasel-cc -g -w -o foreign foreign.c foreign_code.o >out 2>err
point $? "a program with all ways into code that is not instrumented is built"
for way in $(./ways); do
    teasel test --strategy optimal --json r.json --out kept ./foreign -- "$way" beside >out 2>err
    json 'r["verdict"] != "complete" and "unknown-call" in r["reasons"] and "is not instrumented" in str(r["census"]["notes"])'
    point $? "code that is not instrumented runs beside a thread, and is named ($way)"
    # Others are never alone (thread, creator, timer), or come to the same places of the runtime.
    case $way in name | pointer | memory | once | tsearch | kill | key | atexit | destructor) ;; *) continue ;; esac
    teasel test --strategy optimal --json r.json --out kept ./foreign -- "$way" alone >out 2>err
    json 'r["verdict"] == "complete" and not r["reasons"]'
    point $? "and alone does not weaken the claim ($way)"
done

# ---------------------------------------------------------------- one thread only

sed 's/static void \*worker(void \*arg) { count_up(); return arg; }/static void *worker(void *arg) { return arg; }/; s/    return 0;/    return count_up() == 0;/' linked.c >alone.c
teasel-cc -g -o alone alone.c -L. -lcount -Wl,-rpath,"$work" >out 2>err
campaign ./alone optimal
json 'r["verdict"] == "complete"'
point $? "a library that only one thread calls does not weaken the claim"

# ---------------------------------------------------------------- memory that is handed over

cat >fill.c <<'C'
void fill(int *to) { *to = 1; }
C
cat >handed.c <<'C'
#include <assert.h>
#include <pthread.h>
void fill(int *to);
static int shared;
static void *worker(void *arg) { fill(&shared); return arg; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    assert(shared == 0);
    pthread_join(a, 0);
    return 0;
}
C
${CC:-cc} -shared -fPIC -o libfill.so fill.c && teasel-cc -g -o handed handed.c -L. -lfill -Wl,-rpath,"$work" >out 2>err
campaign ./handed optimal
json '[b["kind"] for b in r["bugs"]] == ["assertion"]'
point $? "memory that is handed to such a function may be written by it"

# ---------------------------------------------------------------- an instrumented plugin

teasel-cc -g -shared -fPIC -o libcount.so count.c >out 2>err
campaign ./plugin optimal
json '[b["kind"] for b in r["bugs"]] == ["race"] or any(b["kind"] == "race" for b in r["bugs"])'
point $? "of a plugin that is instrumented the race is found"

# Searches PROGRAM to the end; its exit statuses must be the numbers in expected.txt.
outcomes() { # outcomes PROGRAM CONDITION THROUGH FOUND
    for strategy in optimal dfs; do
        teasel test --strategy $strategy --keep-going --fail-on-exit --runs 1000000 -t 300 --json r.json --out kept "$1" >out 2>err
        json 'r["extent"] in ("complete", "search complete") and '"$2"
        point $? "$strategy: $3"
        python3 -c "
import json
for bug in json.load(open('r.json'))['bugs']:
    if bug['kind'] == 'exit':
        print(bug['message'].split()[-1])" | sort -n >outcomes.txt
        said=outcomes.txt
        cmp -s outcomes.txt expected.txt
        point $? "$strategy: $4"
    done
}

# ---------------------------------------------------------------- calls that read and write

copies="-g -std=gnu11 -D_GNU_SOURCE -w -I$root/include"
# shellcheck disable=SC2086 # words
${CC:-cc} $copies -o copies "$root/tests/libc/copies.c" && ./copies expect | cut -d' ' -f1 | sort -n >expected.txt
# shellcheck disable=SC2086
teasel-cc $copies -DTEASEL -o tcopies "$root/tests/libc/copies.c" >out 2>err
point $? "the table of calls that read and write is built"
outcomes ./tcopies True "the search of them is through" "what was read is what is written, and every outcome is found"

# ---------------------------------------------------------------- orders that decide what comes out

for table in kept orders; do
    # shellcheck disable=SC2089 # the quotes are the macro's
    orders="-g -std=gnu11 -D_GNU_SOURCE -w -DTABLE=\"$table.def\" -I$root/include"
    # shellcheck disable=SC2086,SC2090 # words
    ${CC:-cc} $orders -o orders "$root/tests/libc/orders.c" -lm 2>err && ./orders expect 2>err | sort -n >expected.txt
    # shellcheck disable=SC2086,SC2090
    teasel-cc $orders -DTEASEL -o torders "$root/tests/libc/orders.c" -lm >out 2>err
    point $? "a table of orders is built ($table)"
    said=expected.txt
    [ -s expected.txt ] && ! grep -q wrong expected.txt
    point $? "the real functions do what its rows say ($table)"
    outcomes ./torders 'not r["reasons"]' "the search of the orders is through ($table)" "both orders of each row are found, and nothing else comes out ($table)"
done
teasel test --strategy dfs --fail-on-exit --runs 2000 --json r.json --out kept ./torders -- apart >out 2>err
json 'r["extent"] == "complete" and not r["bugs"]'
point $? "modes of floating point and uselocale are each thread's own"

# ---------------------------------------------------------------- two threads, with and without a lock

mkdir still && : >still/file
for table in pairs maybe; do
    "$root/tests/libc/generate-pairs" "$root/tests/libc/$table.def" >pairs.h
    teasel-cc -g -std=gnu11 -D_GNU_SOURCE -w -I. "-I$root/include" -o pairs "$root/tests/libc/pairs.c" -lm >out 2>err
    point $? "programs of two threads that use libc are built ($table)"
    for strategy in optimal dfs; do
        teasel test --strategy $strategy --keep-going --runs 1000000 -t 300 --json pairs-$strategy.json --out kept ./pairs >out 2>err
    done
    "$root/tests/libc/generate-pairs" "$root/tests/libc/$table.def" pairs-optimal.json pairs-dfs.json >pairs.txt 2>&1
    take_points pairs.txt $table
done

# ---------------------------------------------------------------- every row

"$root/tools/libc-table" --check
point $? "docs/libc.md says what the table says"
"$root/tests/libc/complete" >complete.txt 2>&1
take_points complete.txt table

check_rows
try_rows 30 0
lose_inputs 20 3

echo "1..$count"
