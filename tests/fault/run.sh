#!/bin/bash
# Bad input and a hostile world: one clear line, the right exit code, nothing lost.  TAP.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
teasel=$root/bin/teasel
cc=$root/bin/teasel-cc
work=$(mktemp -d)
trap 'umount "$work/full" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
number=0

point() { # result name [details-file]
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        [ -z "${3:-}" ] || sed 's/^/# /' "$3" | head -20
    fi
}

# expect NAME CODE 'words of the one line' COMMAND...
expect() {
    local name=$1 code=$2 words=$3 got
    shift 3
    "$@" >out 2>err </dev/null
    got=$?
    { echo "$*"; echo "exit code $got, wanted $code"; cat err out; } >details
    if [ "$got" != "$code" ]; then
        point 1 "$name" details
    elif [ "$code" = 2 ] && [ "$(wc -l <err)" != 1 ]; then
        point 1 "$name: one line" details
    elif ! grep -q -- "$words" err out; then
        point 1 "$name: says '$words'" details
    else
        point 0 "$name"
    fi
}

cat >plain.c <<'C'
#include <stdio.h>
int main(int argc, char **argv) { printf("%d %s\n", argc, argv[0]); return 0; }
C
cat >race.c <<'C'
#include <assert.h>
#include <pthread.h>
static int n;
static void *add(void *a) { n = n + 1; return a; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
C
cat >fixed.c <<'C'
#include <pthread.h>
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *a) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return a; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return n != 2;
}
C
"$cc" -pthread race.c -o race && "$cc" -pthread fixed.c -o fixed && "$cc" plain.c -o plain
clang-19 plain.c -o uninstrumented
clang-19 -c plain.c -o plain.o && "$cc" plain.o -o only-linked

# ------------------------------------------------------------------ the program
expect "no command" 2 "no command" "$teasel"
expect "unknown command" 2 "did you mean" "$teasel" tets
expect "no program" 2 "no program given" "$teasel" test
expect "two programs" 2 "behind --" "$teasel" test plain race
expect "no such file" 2 "No such file" "$teasel" test nowhere
expect "no such source" 2 "No such file" "$teasel" test nowhere.c
expect "a directory" 2 "directory" "$teasel" test "$work"
mkfifo pipe
expect "a pipe" 2 "not a plain file" timeout -s KILL 10 "$teasel" test pipe
echo hello >text
expect "not a program" 2 "not an ELF file" "$teasel" test text
: >empty
expect "an empty file" 2 "not an ELF file" "$teasel" test empty
expect "an object file" 2 "object file" "$teasel" test plain.o
expect "not instrumented" 2 "teasel-cc" "$teasel" test uninstrumented
expect "only linked" 2 "nothing in only-linked is instrumented" "$teasel" test only-linked
head -c 5000 race >cut-off && chmod +x cut-off
expect "a truncated program" 2 "cut-off" "$teasel" test cut-off
printf '1LST\143\0\0\0\0\0\0\0\0\0\0\0' >mark
objcopy --update-section teasel_abi=mark race other-version 2>/dev/null
expect "built by another version" 2 "another version" "$teasel" test other-version
cp race no-run && chmod -x no-run
if [ "$(id -u)" = 0 ]; then
    expect "not executable" 2 "can't be executed\|can't start" "$teasel" test no-run
fi
echo 'int main(void) { return x; }' >broken.c
"$teasel" test broken.c >out 2>err
[ $? = 2 ] && grep -q "error: use of undeclared identifier" err && grep -q "does not compile" err
point $? "a source that does not compile" err

# ------------------------------------------------------------------ options
expect "unknown flag" 2 "unknown option.*--strategy\|--strategy" "$teasel" test --stratgy dfs race
expect "unknown strategy" 2 "dfs" "$teasel" test --strategy dsf race
expect "runs 0" 2 "runs" "$teasel" test --runs 0 race
expect "runs negative" 2 "negative" "$teasel" test --runs -5 race
expect "runs junk" 2 "not a number" "$teasel" test --runs many race
expect "runs too large" 2 "too large" "$teasel" test --runs 99999999999999999999999 race
expect "steps 0" 2 "steps" "$teasel" test --steps 0 race
expect "steps too many" 2 "steps" "$teasel" test --steps 99999999999 race
expect "missing value" 2 "runs" "$teasel" test race --runs
expect "a folder as stdin" 2 "directory" "$teasel" test --stdin "$work" race
expect "help about nothing" 2 "did you mean" "$teasel" help tets
expect "a file without a name" 2 "name of a file" "$teasel" test race --json ""
expect "the program as a result" 2 "is read" "$teasel" test race --json ./race
expect "the source as a result" 2 "is read" "$teasel" test race.c --coverage race.c
expect "the input as a result" 2 "same file" "$teasel" test race --stdin text --json text
expect "two results in one file" 2 "same file" "$teasel" test race --json both --coverage both
[ -x race ] && [ "$(cat text)" = hello ] && [ -s race.c ] && [ ! -e both ]
point $? "what is read is still there"
expect "no such stdin" 2 "No such file" "$teasel" test --stdin nowhere race
expect "help" 0 "Exit status" "$teasel" test --help

# ------------------------------------------------------------------ verdicts
expect "no threads, no bug" 0 "complete" "$teasel" test plain --runs 20
expect "no threads, no bug, dfs" 0 "complete" "$teasel" test plain --strategy dfs
expect "sampled and clean" 0 "sampled" "$teasel" test fixed --strategy random --runs 200
expect "every interleaving" 0 "complete" "$teasel" test fixed --strategy dfs
expect "dfs cut by runs" 0 "stopped at a limit" "$teasel" test fixed --strategy dfs --runs 3
expect "less than is required" 3 "stopped at a limit" "$teasel" test fixed --strategy dfs --runs 3 --require complete
expect "as much as is required" 0 "complete" "$teasel" test fixed --strategy dfs --require complete
expect "too few samples" 3 "sampled" "$teasel" test fixed --strategy random --runs 20 --require sampled:21
expect "enough samples" 0 "sampled" "$teasel" test fixed --strategy random --runs 20 --require sampled:20
expect "complete is more than samples" 0 "complete" "$teasel" test plain --require sampled:1000
expect "every run cut short" 3 "stopped at a limit" "$teasel" test fixed --strategy random --runs 20 --steps 1
expect "a requirement nobody knows" 2 "sampled:N" "$teasel" test fixed --require thorough
expect "a bug" 1 "assertion failed" "$teasel" test race --runs 1000

# ------------------------------------------------------------------ replays
replay='teasel-out/race-1.replay'
expect "replay" 1 "the same trace, step for step" "$teasel" replay $replay
expect "the replay as a result" 2 "is read" "$teasel" replay $replay --json $replay
expect "no replay file" 2 "No such file" "$teasel" replay nowhere
expect "replay without a file" 2 "one replay file" "$teasel" replay
expect "replay of a directory" 2 "$work" "$teasel" replay "$work"
expect "replay of junk" 2 "not a replay file" "$teasel" replay text
expect "replay of nothing" 2 "empty" "$teasel" replay empty
grep -v '^end' $replay >truncated
expect "a truncated replay" 2 "end" "$teasel" replay truncated
sed 's/^schedule.*/schedule 0*x/' $replay >bad
expect "a schedule with junk" 2 "not a number" "$teasel" replay bad
sed 's/^schedule.*/schedule 9999999*3/' $replay >bad
expect "a thread that can't be" 2 "thread" "$teasel" replay bad
sed 's/^teasel-replay 1/teasel-replay 99/' $replay >bad
expect "a replay of another version" 2 "version" "$teasel" replay bad
sed 's/^program .*/program nowhere/' $replay >bad
expect "the program is gone" 2 "nowhere" "$teasel" replay bad
sed 's/^schedule.*/schedule 0*2 7*5/' $replay >bad
expect "a schedule that does not fit" 3 "could not be followed" "$teasel" replay bad
head -c 100000 /dev/urandom >noise
expect "random bytes" 2 "noise" "$teasel" replay noise
sed -n '1,/program/p' $replay | sed 's/program.*/program fixed/' >clean.replay
echo end >>clean.replay
expect "a run without the bug" 0 "did not show" "$teasel" replay clean.replay

# ------------------------------------------------------------------ the disk
mkdir full
if mount -t tmpfs -o size=4k,nr_inodes=2 none full 2>/dev/null; then
    head -c 4096 /dev/zero >full/filler
    "$teasel" test race --runs 1000 --out full >out 2>err
    code=$?
    { echo "exit code $code"; cat err out; } >details
    umount full
    [ $code = 2 ] && grep -q "^schedule " out && [ "$(wc -l <err)" = 1 ]
    point $? "no room for the replay: it is printed, nothing is lost" details
fi
expect "no room for --json" 2 "no space left" "$teasel" test fixed --runs 10 --json /dev/full
expect "--json into nowhere" 2 "No such file" "$teasel" test fixed --runs 10 --json no/where
: >a-file
expect "--out is a file" 2 "a-file" "$teasel" test race --runs 1000 --out a-file

# ------------------------------------------------------------------ violence from outside
"$teasel" test fixed --seconds 2 --json killed.json >out 2>err &
tool=$!
for _ in 1 2 3 4 5 6; do
    sleep 0.2
    # The worker is a child of the server, which is a child of the tool.
    server=$(pgrep -P $tool | head -1)
    [ -n "$server" ] || continue
    worker=$(pgrep -P "$server" | head -1)
    [ -z "$worker" ] || kill -9 "$worker"
done
[ -z "${server:-}" ] || kill -9 "$server"
wait $tool
code=$?
{ echo "exit code $code"; cat err out; } >details
[ $code = 0 ]
point $? "workers and server killed from outside: the search goes on, and the program is not blamed" details

cat >slow.c <<'C'
#include <pthread.h>
static volatile unsigned long n;
static void *count(void *a) { while (n < 4000000000ul) n++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, count, 0); pthread_join(t, 0); return 0; }
C
"$cc" slow.c -o slow
"$teasel" test slow --seconds 20 --run-seconds 20 --runs 1 --steps 16000000 >out 2>err &
tool=$!
while kill -0 $tool 2>/dev/null; do
    sleep 0.05
    server=$(pgrep -P $tool | head -1)
    [ -n "$server" ] && worker=$(pgrep -P "$server" | head -1) && [ -n "$worker" ] && kill -9 "$worker"
done
wait $tool
code=$?
{ echo "exit code $code"; cat err out; } >details
[ $code = 2 ] && grep -q "killed from outside" err
point $? "one run is killed from outside again and again" details

expect "files may not grow" 2 "ulimit -f" prlimit --fsize=10000 "$teasel" test fixed --runs 10
expect "too few descriptors" 2 "ulimit -n" prlimit --nofile=64 "$teasel" test fixed --runs 10
# Wherever the address space runs out, that is no bug of the program.
for gigabytes in 1 4 5 6 50 150; do
    (ulimit -v $((gigabytes * 1000000)) && exec "$teasel" test fixed --runs 10) >out 2>err </dev/null
    code=$?
    { echo "exit code $code"; cat err out; } >details
    [ $code = 0 ] || { [ $code = 2 ] && grep -q "ulimit -v" err; }
    point $? "$gigabytes GB of address space" details
done
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    user=$((50000 + $$ % 10000))
    cp -rL "$root/bin" "$root/lib" . # another user may not enter the checkout
    chown -R $user . 2>/dev/null
    expect "too few processes" 2 "ulimit -u" setpriv --reuid=$user --clear-groups \
        prlimit --nproc=2 bin/teasel test fixed --runs 10
    chown -R 0 .
fi

"$teasel" test fixed --strategy random --seconds 30 >out 2>err &
tool=$!
sleep 1
kill -INT $tool
wait $tool
code=$?
[ $code = 0 ] && grep -q "stopped" out
point $? "interrupted: what was done is reported" out
sleep 0.2
! pgrep -f "$work/fixed" >/dev/null
point $? "nothing is left running"

echo "1..$number"
