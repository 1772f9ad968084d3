#!/bin/bash
# Bad input and a hostile world: one clear line, the right exit code, nothing lost.  TAP.
. "$(dirname "$0")/../lib.sh"
trap 'umount "$work/full" 2>/dev/null; rm -rf "$work"' EXIT
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
teasel-cc -pthread race.c -o race && teasel-cc -pthread fixed.c -o fixed && teasel-cc plain.c -o plain
clang-19 plain.c -o uninstrumented
clang-19 -c plain.c -o plain.o && teasel-cc plain.o -o only-linked

# ------------------------------------------------------------------ the program
refuse "no command" "no command" teasel
refuse "unknown command" "did you mean" teasel tets
refuse "no program" "no program given" teasel test
refuse "two programs" "behind --" teasel test plain race
refuse "no such file" "No such file" teasel test nowhere
refuse "no such source" "No such file" teasel test nowhere.c
refuse "a directory" "directory" teasel test "$work"
mkfifo pipe
refuse "a pipe" "not a plain file" timeout -s KILL 10 teasel test pipe
echo hello >text
refuse "not a program" "not an ELF file" teasel test text
: >empty
refuse "an empty file" "not an ELF file" teasel test empty
refuse "an object file" "object file" teasel test plain.o
refuse "not instrumented" "teasel-cc" teasel test uninstrumented
refuse "only linked" "nothing in only-linked is instrumented" teasel test only-linked
head -c 5000 race >cut-off && chmod +x cut-off
refuse "a truncated program" "cut-off" teasel test cut-off
printf '1LST\143\0\0\0\0\0\0\0\0\0\0\0' >mark
objcopy --update-section teasel_abi=mark race other-version 2>/dev/null
refuse "built by another version" "another version" teasel test other-version
cp race no-run && chmod -x no-run
if [ "$(id -u)" = 0 ]; then
    refuse "not executable" "can't be executed\|can't start" teasel test no-run
fi
echo 'int main(void) { return x; }' >broken.c
teasel test broken.c >out 2>err
[ $? = 2 ] && grep -q "error: use of undeclared identifier" err && grep -q "does not compile" err
point $? "a source that does not compile"

# ------------------------------------------------------------------ options
refuse "unknown flag" "unknown option.*--strategy\|--strategy" teasel test --stratgy dfs race
refuse "unknown strategy" "dfs" teasel test --strategy dsf race
refuse "runs 0" "runs" teasel test --runs 0 race
refuse "runs negative" "negative" teasel test --runs -5 race
refuse "runs junk" "not a number" teasel test --runs many race
refuse "runs too large" "too large" teasel test --runs 99999999999999999999999 race
refuse "steps 0" "steps" teasel test --steps 0 race
refuse "steps too many" "steps" teasel test --steps 99999999999 race
refuse "missing value" "runs" teasel test race --runs
refuse "a folder as stdin" "directory" teasel test --stdin "$work" race
refuse "help about nothing" "did you mean" teasel help tets
refuse "a file without a name" "name of a file" teasel test race --json ""
refuse "the program as a result" "is read" teasel test race --json ./race
refuse "the source as a result" "is read" teasel test race.c --coverage race.c
refuse "the input as a result" "same file" teasel test race --stdin text --json text
refuse "two results in one file" "same file" teasel test race --json both --coverage both
[ -x race ] && [ "$(cat text)" = hello ] && [ -s race.c ] && [ ! -e both ]
point $? "what is read is still there"
refuse "no such stdin" "No such file" teasel test --stdin nowhere race
says 0 "help" "Exit status" teasel test --help

# ------------------------------------------------------------------ verdicts
says 0 "no threads, no bug" "complete" teasel test plain --runs 20
says 0 "no threads, no bug, dfs" "complete" teasel test plain --strategy dfs
says 0 "sampled and clean" "sampled" teasel test fixed --strategy random --runs 200
says 0 "every interleaving" "complete" teasel test fixed --strategy dfs
says 0 "dfs cut by runs" "stopped at a limit" teasel test fixed --strategy dfs --runs 3
says 3 "less than is required" "stopped at a limit" teasel test fixed --strategy dfs --runs 3 --require complete
says 0 "as much as is required" "complete" teasel test fixed --strategy dfs --require complete
says 3 "too few samples" "sampled" teasel test fixed --strategy random --runs 20 --require sampled:21
says 0 "enough samples" "sampled" teasel test fixed --strategy random --runs 20 --require sampled:20
says 0 "complete is more than samples" "complete" teasel test plain --require sampled:1000
says 3 "every run cut short" "stopped at a limit" teasel test fixed --strategy random --runs 20 --steps 1
refuse "a requirement nobody knows" "sampled:N" teasel test fixed --require thorough
says 1 "a bug" "assertion failed" teasel test race --runs 1000

# ------------------------------------------------------------------ replays
replay='teasel-out/race-1.replay'
says 1 "replay" "the same trace, step for step" teasel replay $replay
refuse "the replay as a result" "is read" teasel replay $replay --json $replay
refuse "no replay file" "No such file" teasel replay nowhere
refuse "replay without a file" "one replay file" teasel replay
refuse "replay of a directory" "$work" teasel replay "$work"
refuse "replay of junk" "not a replay file" teasel replay text
refuse "replay of nothing" "empty" teasel replay empty
grep -v '^end' $replay >truncated
refuse "a truncated replay" "end" teasel replay truncated
sed 's/^schedule.*/schedule 0*x/' $replay >bad
refuse "a schedule with junk" "not a number" teasel replay bad
sed 's/^schedule.*/schedule 9999999*3/' $replay >bad
refuse "a thread that can't be" "thread" teasel replay bad
sed 's/^teasel-replay 1/teasel-replay 99/' $replay >bad
refuse "a replay of another version" "version" teasel replay bad
sed 's/^program .*/program nowhere/' $replay >bad
refuse "the program is gone" "nowhere" teasel replay bad
sed 's/^schedule.*/schedule 0*2 7*5/' $replay >bad
says 3 "a schedule that does not fit" "could not be followed" teasel replay bad
head -c 100000 /dev/urandom >noise
refuse "random bytes" "noise" teasel replay noise
sed -n '1,/program/p' $replay | sed 's/program.*/program fixed/' >clean.replay
echo end >>clean.replay
says 0 "a run without the bug" "did not show" teasel replay clean.replay

# ------------------------------------------------------------------ the disk
mkdir full
if mount -t tmpfs -o size=4k,nr_inodes=2 none full 2>/dev/null; then
    head -c 4096 /dev/zero >full/filler
    teasel test race --runs 1000 --out full >out 2>err
    code=$?
    echo "exit code $code" >log
    umount full
    [ $code = 2 ] && grep -q "^schedule " out && [ "$(wc -l <err)" = 1 ]
    point $? "no room for the replay: it is printed, nothing is lost"
fi
refuse "no room for --json" "no space left" teasel test fixed --runs 10 --json /dev/full
refuse "--json into nowhere" "No such file" teasel test fixed --runs 10 --json no/where
: >a-file
refuse "--out is a file" "a-file" teasel test race --runs 1000 --out a-file

# ------------------------------------------------------------------ violence from outside
teasel test fixed --seconds 2 --json killed.json >out 2>err &
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
echo "exit code $code" >log
[ $code = 0 ]
point $? "workers and server killed from outside: the search goes on, and the program is not blamed"

cat >slow.c <<'C'
#include <pthread.h>
static volatile unsigned long n;
static void *count(void *a) { while (n < 4000000000ul) n++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, count, 0); pthread_join(t, 0); return 0; }
C
teasel-cc slow.c -o slow
teasel test slow --seconds 20 --run-seconds 20 --runs 1 --steps 16000000 >out 2>err &
tool=$!
while kill -0 $tool 2>/dev/null; do
    sleep 0.05
    server=$(pgrep -P $tool | head -1)
    [ -n "$server" ] && worker=$(pgrep -P "$server" | head -1) && [ -n "$worker" ] && kill -9 "$worker"
done
wait $tool
code=$?
echo "exit code $code" >log
[ $code = 2 ] && grep -q "killed from outside" err
point $? "one run is killed from outside again and again"

refuse "files may not grow" "ulimit -f" prlimit --fsize=10000 teasel test fixed --runs 10
refuse "too few descriptors" "ulimit -n" prlimit --nofile=64 teasel test fixed --runs 10
# Wherever the address space runs out, that is no bug of the program.
for gigabytes in 1 4 5 6 50 150; do
    (ulimit -v $((gigabytes * 1000000)) && exec teasel test fixed --runs 10) >out 2>err </dev/null
    code=$?
    echo "exit code $code" >log
    [ $code = 0 ] || { [ $code = 2 ] && grep -q "ulimit -v" err; }
    point $? "$gigabytes GB of address space"
done
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    user=$((50000 + $$ % 10000))
    cp -rL "$root/bin" "$root/lib" . # another user may not enter the checkout
    chown -R $user . 2>/dev/null
    refuse "too few processes" "ulimit -u" setpriv --reuid=$user --clear-groups \
        prlimit --nproc=2 bin/teasel test fixed --runs 10
    chown -R 0 .
fi

teasel test fixed --strategy random --seconds 30 >out 2>err &
tool=$!
sleep 1
kill -INT $tool
wait $tool
code=$?
[ $code = 0 ] && grep -q "stopped" out
point $? "interrupted: what was done is reported"
sleep 0.2
! pgrep -f "$work/fixed" >/dev/null
point $? "nothing is left running"

echo "1..$count"
