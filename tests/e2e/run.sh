#!/bin/sh
# The command line as a user meets it: bad input, exit codes, replay, gdb, long campaigns.
# Prints TAP.  What programs do under test is in the programs of this folder; see ./run.
# cpu: 38
. "$(dirname "$0")/../lib.sh"

cat >ok.c <<'C'
int main(void) { return 0; }
C
cat >broken.c <<'C'
int main(void) { return nothing; }
C
cat >threads.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *f(void *a) {
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x == 10 ? 0 : 1;
}
C
cat >two_bugs.c <<'C'
#include <assert.h>
#include <pthread.h>
static _Atomic int x;
static void *f(void *a) {
    x = 1;
    return a;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, f, 0);
    if (x)
        assert(!"early");
    else
        assert(!"late");
    return 0;
}
C
cat >lines.c <<'C'
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[32];
    assert(fgets(line, sizeof line, stdin) && strcmp(line, "hello\n") == 0);
    return 0;
}
C
cat >other_version.c <<'C'
#include "abi/wire.h"
void __teasel_register(tsl_module *);
static uint32_t base;
static tsl_module module = {.abi = TSL_ABI_VERSION + 1, .name = "old.c", .site_base = &base};
__attribute__((constructor)) static void register_it(void) { __teasel_register(&module); }
int main(void) { return 0; }
C
lost=$root/examples/lost_update.c

# ---- help
expect 0 "--version" teasel --version
expect 0 "help" teasel help
expect 0 "--help" teasel --help
expect 0 "help test" teasel help test
for option in --strategy --runs --seconds --seed --steps --run-seconds --keep-going --json --out \
    --leaks --fail-on-exit --spurious --fork --cflags --stdin --argv --file --env --seed-input \
    --quiet --via; do
    holds "help test names $option" grep -q -e "$option" out
done
expect 2 "no command" teasel
refuse "unknown command" "" teasel frobnicate

# ---- bad input
refuse "test: no program" "" teasel test
refuse "test: no such file" "" teasel test missing
refuse "test: no such C file" "" teasel test missing.c
refuse "test: a folder" "" teasel test .
echo "just text" >text && chmod +x text
refuse "test: not a program" "" teasel test ./text
refuse "test: not executable" "" teasel test /etc/passwd
refuse "test: not instrumented" "" teasel test /bin/true
refuse "test: unknown flag" "" teasel test ok.c --frobnicate
refuse "test: --runs 0" "" teasel test ok.c --runs 0
refuse "test: --runs many" "" teasel test ok.c --runs many
refuse "test: --runs without a number" "" teasel test ok.c --runs
refuse "test: --steps 0" "" teasel test ok.c --steps 0
refuse "test: --seconds -1" "" teasel test ok.c --seconds -1
refuse "test: unknown strategy" "" teasel test ok.c --strategy luck
refuse "test: no such stdin" "" teasel test ok.c --stdin missing
refuse "test: --stdin 0" "" teasel test ok.c --stdin 0
refuse "test: --stdin too large" "" teasel test ok.c --stdin 65537
refuse "test: --stdin far too large" "" teasel test ok.c --stdin 99999999999999999999999
refuse "test: --stdin ./5 is a file" "" teasel test ok.c --stdin ./5
refuse "test: --argv without words" "" teasel test ok.c --argv ' '
refuse "test: --argv with an input of nothing" "" teasel test ok.c --argv 'a @0'
refuse "test: --argv with something behind an input" "" teasel test ok.c --argv '@3x'
refuse "test: --argv with two inputs in a word" "" teasel test ok.c --argv '@3@4'
refuse "test: --argv and arguments" "" teasel test ok.c --argv @3 -- x
refuse "test: --file without a size" "" teasel test ok.c --file data
refuse "test: --file of size 0" "" teasel test ok.c --file data=0
refuse "test: --file too large" "" teasel test ok.c --file data=65537
refuse "test: --file twice" "" teasel test ok.c --file data=1 --file data=1
refuse "test: no such --seed-input" "" teasel test ok.c --seed-input missing
refuse "test: --seed-input of nothing" "" teasel test ok.c --seed-input /dev/null
refuse "test: --seed-input too large" "" teasel test ok.c --seed-input "$root/bin/teasel"
refuse "test: --env without a size" "" teasel test ok.c --env LANG
refuse "test: --env without a name" "" teasel test ok.c --env =3
refuse "test: --env with an odd size" "" teasel test ok.c --env LANG=many
refuse "test: --env of size 0" "" teasel test ok.c --env LANG=0
refuse "test: --env with two =" "" teasel test ok.c --env A=B=1
refuse "test: --env twice" "" teasel test ok.c --env LANG=1 --env LANG=2
refuse "test: --json can't be written" "" teasel test ok.c --runs 10 --json /dev/full
refuse "test: --json into no folder" "" teasel test ok.c --runs 10 --json nowhere/x.json
refuse "test: --out can't be made" "" teasel test ok.c --out /dev/null/out
expect 2 "test: compile error" teasel test broken.c
holds "the compiler's own words" grep -q "nothing" err
if clang-19 -I"$root/src" -I"$root/src/abi" -c other_version.c -o other_version.o 2>err &&
    teasel-cc other_version.o ok.c -Dmain=unused_main -o other_version 2>>err; then
    refuse "test: built by another version" "" teasel test ./other_version
else
    point 1 "test: built by another version (could not be linked)"
fi
refuse "replay: no file" "" teasel replay
refuse "replay: no such file" "" teasel replay missing
refuse "replay: not a replay file" "" teasel replay text
refuse "replay: a folder" "" teasel replay .
: >empty
refuse "replay: empty" "" teasel replay empty

# ---- exit codes and JSON
before=$(date +%s)
expect 0 "no threads, no bug" teasel test ok.c --json ok.json
after=$(date +%s)
holds "and one run is enough to say so" test $((after - before)) -le 3
holds "verdict is there" test -n "$(field ok.json 'j["verdict"]')"
holds "no bugs" test "$(field ok.json 'len(j["bugs"])')" = 0
expect 1 "a bug" teasel test "$lost" --json lost.json
for name in verdict strategy executions blocked bugs races seconds executions_per_second census; do
    holds "JSON has $name" test "$(field lost.json "'$name' in j")" = True
done
for name in kind message file line executions_to_find replay; do
    holds "JSON of a bug has $name" test "$(field lost.json "'$name' in j['bugs'][0]")" = True
done
replay=$(field lost.json 'j["bugs"][0]["replay"]')
expect 0 "dfs cut by --runs" teasel test threads.c --strategy dfs --runs 5
expect 1 "arguments of the program follow --" teasel test "$root/examples/philosophers.c" -- 3
printf 'hello\n' >hello
expect 0 "--stdin" teasel test lines.c --stdin hello --runs 20
expect 1 "--stdin N" teasel test lines.c --stdin 6 --runs 100 --json lines.json
holds "shows what was read" test "$(field lines.json '"stdin" in [i["name"] for i in j["bugs"][0]["inputs"]]')" = True
expect 1 "--stdin N with --fork" teasel test lines.c --stdin 6 --runs 100 --fork --json lines2.json
holds "finds it in the same run" test "$(field lines.json 'j["bugs"][0]["executions_to_find"]')" = \
    "$(field lines2.json 'j["bugs"][0]["executions_to_find"]')"
TEASEL_REPLAY=$(field lines.json 'j["bugs"][0]["replay"]') teasel-out/lines >out 2>&1
holds "TEASEL_REPLAY reads the same" grep -qi "assert" out
cat >arguments.c <<'C'
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "a@b") != 0)
        return 1;
    assert(strcmp(argv[2], "x=key") != 0);
    return 0;
}
C
expect 1 "--argv" teasel test arguments.c --argv 'a@@b x=@3' --fail-on-exit --json arguments.json
holds "finds the word" test "$(field arguments.json 'j["bugs"][0]["kind"]')" = assertion
TEASEL_REPLAY=$(field arguments.json 'j["bugs"][0]["replay"]') teasel-out/arguments >out 2>&1
holds "TEASEL_REPLAY has the arguments" grep -qi "assert" out
printf 'bt\nkill\nquit\n' >commands
timeout 60 teasel replay "$(field arguments.json 'j["bugs"][0]["replay"]')" --gdb <commands >out 2>&1
holds "and so has gdb" grep -q "arguments.c" out
expect 1 "--keep-going" teasel test two_bugs.c --keep-going --runs 200 --json two.json
holds "finds both" test "$(field two.json 'len(j["bugs"])')" = 2
expect 1 "--fork finds it too" teasel test "$lost" --fork --json fork.json
holds "in the same run" test "$(field fork.json 'j["bugs"][0]["executions_to_find"]')" = \
    "$(field lost.json 'j["bugs"][0]["executions_to_find"]')"
expect 1 "the same seed" teasel test "$lost" --json again.json
holds "gives the same campaign" test "$(field again.json 'j["executions"]')" = \
    "$(field lost.json 'j["executions"]')"
before=$(date +%s)
timeout 60 teasel test threads.c --strategy random --seconds 1 --runs 1000000000 >out 2>err
after=$(date +%s)
holds "--seconds ends it" test $((after - before)) -le 10
expect 1 "--quiet" teasel test "$lost" --quiet
holds "and says less" test "$(wc -l <out)" -le 70

# ---- replay
expect 1 "replay" teasel replay "$replay" --json replay.json
holds "same trace" test "$(field replay.json 'j["same"]')" = True
for _ in 1 2 3; do
    timeout 20 teasel replay "$replay" >"replay.$_" 2>&1
done
holds "three replays print the same" cmp -s replay.1 replay.3
head -c 40 "$replay" >cut.replay
refuse "replay: truncated" "" teasel replay cut.replay
printf 'run\nbt\ninfo threads\nkill\nquit\n' >commands
timeout 60 teasel replay "$replay" --gdb <commands >out 2>&1
holds "replay --gdb stops in the program" grep -q "lost_update.c" out

# ---- alone
teasel-cc -g threads.c -o alone 2>err
expect 0 "an instrumented program alone" ./alone
expect 0 "teasel cc is teasel-cc" teasel cc threads.c -o alone2
TEASEL_REPLAY=$replay
export TEASEL_REPLAY
timeout 20 teasel-out/lost_update >out 2>&1
holds "TEASEL_REPLAY shows the failure" grep -qi "assert" out
unset TEASEL_REPLAY

# ---- long campaigns
# The most descriptors and the largest resident size (KiB) among the processes below a campaign.
descendants() {
    children=$(awk -v parent="$1" '{ sub(/^.*\) /, "", $0); if ($2 == parent) print FILENAME }' \
        /proc/[0-9]*/stat 2>/dev/null)
    for child in $children; do
        child=${child#/proc/}
        echo "${child%/stat}"
        descendants "${child%/stat}"
    done
}
sample() {
    for pid in $(descendants "$1"); do
        fds=$(find "/proc/$pid/fd" -type l 2>/dev/null | wc -l)
        rss=$(awk '/^VmRSS/ {print $2}' "/proc/$pid/status" 2>/dev/null)
        echo "$fds ${rss:-0}"
    done | awk '{ if ($1 > f) f = $1; if ($2 > r) r = $2 } END { if (r) print f, r }'
}
teasel test ./alone --strategy random --runs 1000000 --json long.json >out 2>err &
campaign=$!
early=
late=
sleep 0.5
while kill -0 $campaign 2>/dev/null; do
    now=$(sample $campaign)
    late=${now:-$late}
    early=${early:-$late}
    sleep 0.2
done
wait $campaign
holds "a million runs" test "$(field long.json 'j["executions"]')" = 1000000
holds "in one process" test "$(field long.json 'j["restarts"]')" -le 1
echo "# descriptors and resident size of the program: early $early, late $late"
holds "memory does not grow" test "${late#* }" -le $((${early#* } + 2048))
holds "descriptors do not grow" test "${late% *}" -le "${early% *}"

# ---- samplers
expect 0 "compile double_checked.c" teasel-cc -g "$root/examples/double_checked.c" -o double_checked
what='[j[k] for k in ("executions", "traces", "interleavings", "outcomes", "sampling")]'
for sampler in $(samplers); do
    for i in 1 2; do
        expect 1 "$sampler, time $i" teasel test ./double_checked --strategy "$sampler" --runs 2000 \
            --keep-going --json "$sampler.$i.json"
    done
    holds "$sampler: the same seed gives the same campaign" test "$(field "$sampler.1.json" "$what")" = \
        "$(field "$sampler.2.json" "$what")"
    expect 1 "$sampler at every access" teasel test ./double_checked --strategy "$sampler" --runs 2000 --preempt all
done
expect 1 "--bug-depth 2" teasel test ./double_checked --strategy pct --bug-depth 2
expect 2 "--bug-depth 0" teasel test ./double_checked --strategy pct --bug-depth 0
expect 2 "--preempt sometimes" teasel test ./double_checked --preempt sometimes
expect 1 "no flags" teasel test ./double_checked --json default.json
holds "is the portfolio" test "$(field default.json 'j["strategy"]')" = portfolio
expect 0 "no flags, correct" teasel test "$root/examples/counter_fixed.c" --json fixed.json
holds "is complete" test "$(field fixed.json 'j["verdict"]')" = complete
expect 0 "no flags, too large" teasel test "$root/bench/programs/readers.c" --cflags -DN=20 --seconds 2 --json large.json
holds "and says how far it got" test "$(field large.json 'j["verdict"] in ("sampled", "complete up to a number of preemptions") or j["verdict"].startswith("complete up to")')" = True

python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' teasel test ./double_checked --strategy rapos \
    --keep-going --seconds 1 >out 2>err
holds "the status line says when samples last showed something new" \
    grep -q "branches, 1 bug, races, new pair [0-9]* ago, new order [0-9]* ago" out

# ---- what only later runs meet
expect 0 "compile floats.c" teasel-cc -g -O1 "$root/tests/e2e/inputs/floats.c" -o floats
expect 0 "test: floats" teasel test ./floats
holds "what later runs met is said, with its place" \
    grep -q "note: floating point is not followed.*floats.c:16" out

# ---- counts
holds "the counts of counts/ are what brute force gives" "$root/tests/e2e/counts/model" \
    "$root"/tests/e2e/counts/*.c

# ---- install
if make -s -C "$root" install BOOTSTRAP=no DESTDIR="$work/dest" PREFIX=/usr >out 2>&1; then
    point 0 "make install"
else
    point 1 "make install"
fi
for file in bin/teasel bin/teasel-cc include/teasel.h include/teasel/cute.h lib/pkgconfig/teasel.pc \
    share/man/man1/teasel.1 share/man/man1/teasel-cc.1; do
    holds "installs $file" test -f "dest/usr/$file"
done
expect 0 "the installed compiler works" dest/usr/bin/teasel-cc threads.c -o installed
expect 0 "the installed tool works" dest/usr/bin/teasel test ./installed --strategy random --runs 100

echo "1..$count"
