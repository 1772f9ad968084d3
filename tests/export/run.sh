#!/bin/sh
# teasel export: a file per path, and a C test that gcc and clang build without Teasel.  TAP.
# cpu: 7
. "$(dirname "$0")/../lib.sh"

# campaign NAME OPTION...: tests NAME.c into NAME.out and exports NAME.test.c
campaign() {
    program=$1
    shift
    rm -rf "$program.out"
    timeout 120 teasel test "$program.c" --out "$program.out" "$@" >out 2>err </dev/null
    [ $? -ne 2 ] || return 1
    teasel export --c "$program.test.c" "$program.out/$program.paths" >out 2>err
}

# build CC NAME FLAG...: NAME.CC from NAME.c and NAME.test.c, which has no warnings
build() {
    cc=$1
    program=$2
    shift 2
    "$cc" -std=c99 -pedantic -Wall -Wextra -Werror -c "$program.test.c" -o "$program.o" \
        >out 2>err || return 1
    "$cc" -w -pthread "$@" -I"$root/include" "$program.c" "$program.o" -o "$program.$cc" \
        >out 2>err
}

# passes CC NAME POINTS: all of them are ok, so many
passes() {
    timeout 120 "./$2.$1" >out 2>err </dev/null &&
        grep -q "^1\.\.$3\$" out && [ "$(grep -c '^ok ' out)" -eq "$3" ] &&
        ! grep -q '^not ok' out
}

compilers=
for cc in gcc clang-19; do
    if command -v $cc >/dev/null; then compilers="$compilers $cc"; fi
done

everywhere() { # everywhere NAME POINTS: built by every compiler, all points pass
    for cc in $compilers; do
        holds "$1: $cc builds the test" build "$cc" "$1" -DTEASEL_EXPORTED
        holds "$1: all $2 paths end as recorded" passes "$cc" "$1" "$2"
    done
}

# ------------------------------------------------------------------ one thread, many paths
cp "$root/tests/e2e/inputs/bubble_sort_4.c" bubble.c
holds "bubble: exported" campaign bubble
holds "bubble: 24 paths are kept" test "$(grep -c '^path' bubble.out/bubble.paths)" = 24
everywhere bubble 24
holds "bubble: files" teasel export --inputs bubble.in bubble.out/bubble.paths 2>err
holds "bubble: 24 texts" test "$(find bubble.in -name '*.txt' | wc -l)" = 24
holds "bubble: 24 inputs of 16 bytes" test "$(find bubble.in -name 'path-00*.a' -size 16c | wc -l)" = 24
grep '^a = {.*}$' bubble.in/*.txt | sed 's/.*: *//' | sort -u >values
holds "bubble: 24 different values" test "$(wc -l <values)" = 24
hex=$(od -An -tx1 bubble.in/path-0007.a | tr -d ' \n')
holds "bubble: the text has the bytes" grep -q "^  path-0007.a: $hex\$" bubble.in/path-0007.txt
cp bubble.test.c first.c
holds "bubble: again" campaign bubble
holds "bubble: gives the same test" cmp -s bubble.test.c first.c

# A tool that waits for a processor most of the time.
slowly() { # slowly SECONDS: it runs so long, and then stands still for longer
    teasel test bubble.out/bubble --out slow.out >out 2>err </dev/null &
    slow=$!
    while kill -STOP $slow 2>/dev/null; do
        sleep 0.02
        kill -CONT $slow
        sleep "$1"
    done
    wait $slow
    cmp -s slow.out/bubble.paths bubble.out/bubble.paths
}
for seconds in 0.001 0.004; do
    holds "bubble: gives the same test when $seconds of $seconds + 0.02 seconds are for the tool" slowly $seconds
done
for cc in $compilers; do
    if build "$cc" bubble -DTEASEL_EXPORTED -static; then
        holds "bubble: $cc -static" passes "$cc" bubble 24
    fi
    build "$cc" bubble -DTEASEL_EXPORTED
    ./bubble."$cc" >/dev/full 2>err
    holds "bubble: no room for what it prints" test $? = 2
    holds "bubble: $cc without -DTEASEL_EXPORTED" build "$cc" bubble
    ./bubble."$cc" >out 2>err
    holds "is noticed in every path" test "$(grep -c '^not ok.*' out)" = 24
    holds "and says what to do" grep -q "compiled with -DTEASEL_EXPORTED" out
done

# ------------------------------------------------------------------ ends of all kinds
cat >ends.c <<'C'
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <teasel.h>

static volatile int turns;

int main(void) { // falls off its end, as main may
    int x;
    unsigned char y = teasel_uchar("y");
    TEASEL_INPUT(x);
    TEASEL_ASSUME(x > -100);
#ifdef MORE
    teasel_int("more");
#endif
    printf("ok 99 - not a point\n");
    if (x == 4711)
#ifdef FIXED
        return 0;
#else
        TEASEL_ASSERT(x != 4711);
#endif
    if (x == 4712)
        assert(y == 17);
    if (x == 4713)
        raise(SIGSEGV);
    if (x == 4714)
        exit(3 + 256);
    if (x == 4715)
        for (;;)
            turns++;
    if (x == 4716) {
        char *p = malloc(4);
        free(p);
        free(p);
    }
}
C
holds "ends: exported" campaign ends --keep-going --steps 2000
number=$(grep -c '^path' ends.out/ends.paths)
for outcome in ok assertion crash double-free step-limit; do
    holds "ends: a path ends with $outcome" grep -q "^path $outcome " ends.out/ends.paths
done
holds "ends: rejected runs are no paths" test "$(grep -c rejected ends.out/ends.paths)" = 0
everywhere ends "$number"
holds "ends: the assertion fails again" grep -q '^ok .*assertion failed: x != 4711 at .*ends.c:[0-9]*$' out
holds "ends: a run that was cut is skipped" grep -q '^ok .*step limit.*# SKIP' out
holds "ends: an exit status" grep -q '^ok .*exit status 3$' out
cc=${compilers##* }
holds "ends: the bug is repaired" build "$cc" ends -DTEASEL_EXPORTED -DFIXED
./ends."$cc" >out 2>err
holds "and the path that had it tells" test "$(grep '^not ok' out | grep -c 4711)" = 1
holds "and no other does" test "$(grep -c '^not ok' out)" = 1
which=$(sed -n 's/^not ok \([0-9]*\) .*/\1/p' out)
TEASEL_PATH=$which ./ends."$cc" >out 2>err
holds "TEASEL_PATH runs it alone" test $? = 0
TEASEL_PATH=0 ./ends."$cc" >out 2>err
holds "TEASEL_PATH=0 is refused" test $? = 2
holds "ends: the program asks for more" build "$cc" ends -DTEASEL_EXPORTED -DMORE
./ends."$cc" >out 2>err
holds "and that is told" grep -q "nothing was recorded for more" out
sed 's/^\(input 0 1 signed 4\) [0-9a-f]*/\1 00000080/' ends.out/ends.paths >edited.paths
teasel export --c ends.test.c edited.paths 2>err
holds "ends: no assumption holds" build "$cc" ends -DTEASEL_EXPORTED
./ends."$cc" >out 2>err
holds "and all is skipped" test "$(grep -c '^ok .*# SKIP' out)" = "$number"

# ------------------------------------------------------------------ names and bytes
cat >strange.c <<'C'
#include <string.h>
#include <teasel.h>
int main(void) {
    char s[6];
    _Bool b = teasel_bool("flag");
    TEASEL_INPUT(s);
    int x = teasel_int("\"a\\ ??/ */ %d \n #\x01\xff"), y = teasel_int("txt"), z = teasel_int("");
    long same = teasel_long("a b") + teasel_long("a_b") + teasel_long("a b");
    if (memcmp(s, "\"\\\0?\n'", 6) == 0)
        TEASEL_ASSERT(!"# \"it\" is ??/ found\\");
    if (b)
        if (x == 1)
            if (y == 2 && z == 3)
                return 9;
    if (same == 4)
        return 1;
    return 0;
}
C
holds "strange: exported" campaign strange --keep-going
number=$(grep -c '^path' strange.out/strange.paths)
everywhere strange "$number"
holds "strange: the assertion is among them" grep -q '^ok .*assertion failed: .*found' out
holds "strange: files" teasel export --inputs strange.in strange.out/strange.paths 2>err
for file in flag s _a__________d______ txt-2 input a_b a_b-2 a_b-3; do
    holds "strange: path-0001.$file" test -s "strange.in/path-0001.$file"
done
holds "strange: nine files per path" test "$(find strange.in -name 'path-0001*' | wc -l)" = 9

# ------------------------------------------------------------------ arguments, standard input
cat >outside.c <<'C'
#include <stdio.h>
#include <string.h>
#include <teasel.h>
int main(int argc, char **argv) {
    char line[16] = "";
    int x = teasel_int("x");
    if (argc != 3 || strcmp(argv[1], "a \"b\"") || argv[2][0] || !fgets(line, sizeof line, stdin) ||
        strcmp(line, "hello\n"))
        return 100;
    if (x == 5)
        return 1;
    return 0;
}
C
echo hello >hello
holds "outside: exported" campaign outside --stdin hello -- 'a "b"' ''
holds "outside: two paths" test "$(grep -c '^path' outside.out/outside.paths)" = 2
everywhere outside 2
mv hello gone
./outside."$cc" >out 2>err
holds "outside: a missing file is told" grep -q "can't open hello" out
mv gone hello

cat >given.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <teasel.h>
int main(int argc, char **argv) {
    if (argc != 3 || strncmp(argv[2], "x=", 2) != 0)
        return 100;
    if (getchar() == 'a' && getchar() == 'b' && getchar() == EOF)
        return strcmp(argv[2], "x=cd") == 0 ? 2 : 3;
    if (getenv("MODE")[0] == 'm' && teasel_char("c") == 'c')
        return 4;
    return 0;
}
C
holds "given: exported" campaign given --stdin 2 --argv 'a x=@2' --env MODE=1
paths=$(grep -c '^path' given.out/given.paths)
holds "given: with all of them" grep -q '^input 0 1073741826 .* env:MODE' given.out/given.paths
everywhere given "$paths"
# shellcheck disable=SC2016
holds "given: each end is there" sh -c 'for s in 0 2 3 4; do
    grep -q "exit status $s" out || exit 1; done'
cat >infile.c <<'C'
#include <stdio.h>
int main(void) {
    FILE *f = fopen("data", "r");
    if (f && getc(f) == 'x')
        return 1;
    return 0;
}
C
holds "infile: exported" campaign infile --file data=1
everywhere infile 2
holds "infile: and left out" test "$(grep -c SKIP out)" = 2

# ------------------------------------------------------------------ threads, choices
cat >threads.c <<'C'
#include <pthread.h>
#include <teasel.h>
static int sum[3];
static void *first(void *arg) {
    int f = teasel_int("first");
    if (f == 10)
        sum[0] = 1;
    return arg;
}
static void *second(void *arg) {
    short s;
    TEASEL_INPUT(s);
    if (s == 20)
        sum[1] = 2;
    return arg;
}
static void *third(void *arg) {
    sum[2] = TEASEL_CHOOSE(2) ? 4 : 0;
    return arg;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, third, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    int m = teasel_int("m");
    if (m == 30)
        sum[2] += 8;
    return sum[0] + sum[1] + sum[2];
}
C
holds "threads: exported" campaign threads
holds "threads: 16 paths" test "$(grep -c '^path ok [0-9]* threads' threads.out/threads.paths)" = 16
holds "threads: 16 exit statuses" test "$(grep '^path' threads.out/threads.paths | sort -u | wc -l)" = 16
everywhere threads 16
for round in 1 2 3 4 5; do
    passes "$cc" threads 16 || break
done
holds "threads: whatever the machine does (round $round)" passes "$cc" threads 16

cat >race.c <<'C'
#include <pthread.h>
#include <teasel.h>
static _Atomic int x;
static void *f(void *arg) {
    x = 1;
    return arg;
}
int main(void) {
    pthread_t a;
    int input = teasel_int("input");
    pthread_create(&a, NULL, f, NULL);
    if (input == 7)
        TEASEL_ASSERT(!x);
    pthread_join(a, NULL);
    return 0;
}
C
holds "race: exported" campaign race --keep-going
holds "race: a path that fails under one schedule has failed" \
    grep -q '^path assertion 0 threads' race.out/race.paths
number=$(grep -c '^path' race.out/race.paths)
everywhere race "$number"

cat >choices.c <<'C'
#include <teasel.h>
int main(void) {
    unsigned a = TEASEL_CHOOSE(3), one = TEASEL_CHOOSE(1), b = TEASEL_CHOOSE(2);
    return (int)(10 * a + b + one);
}
C
holds "choices: exported" campaign choices
holds "choices: six paths" test "$(grep -c '^path' choices.out/choices.paths)" = 6
everywhere choices 6
holds "choices: files" teasel export --inputs choices.in choices.out/choices.paths 2>err
holds "choices: what was chosen" grep -q '^choice = 2 of 3$' choices.in/path-*.txt

# ------------------------------------------------------------------ names of other tools
cp "$root/tests/e2e/inputs/other_names.c" other.c
holds "other: exported" campaign other --keep-going
number=$(grep -c '^path' other.out/other.paths)
everywhere other "$number"
# Everything that the runtime gives programs to ask with stands in the test too.
sed -n 's/^API [^(]* \([A-Za-z_]*\)(.*/\1/p; s/^\(TYPED\|NAMED\|CREST\)(\([A-Za-z_]*\),.*/\2/p' \
    "$root/src/rt/symbol/input.c" | sort >wanted
nm other.o | sed -n 's/.* W //p' | sort >there
comm -23 wanted there >out
holds "$(wc -l <wanted) functions of the runtime" test "$(wc -l <wanted)" -ge 30
holds "are all in the test" test ! -s out

# ------------------------------------------------------------------ where paths are found
mkdir folder && cd folder || exit 2
refuse "nothing to write" "say --inputs DIR, --c FILE or both" teasel export
refuse "no folder" "run .teasel test." teasel export --c t.c
mkdir teasel-out
refuse "no file in it" "no FILE.paths in teasel-out" teasel export --c t.c
cp ../bubble.out/bubble.paths teasel-out/one.paths
holds "the only one" teasel export --c t.c 2>err
holds "is written" test -s t.c
cp ../bubble.out/bubble.paths teasel-out/two.paths
refuse "several" "(one.paths, two.paths)" teasel export --c t.c
holds "--out" teasel export --out ../bubble.out --c t.c 2>err
refuse "two files" "one by one" teasel export --c t.c a.paths b.paths
refuse "unknown option" "unknown option" teasel export --d t.c
teasel export --c /dev/stdout --out ../bubble.out >out 2>err
holds "--c /dev/stdout" cmp -s out t.c

# ------------------------------------------------------------------ bad files
good=../ends.out/ends.paths
refuse "no such file" "No such file" teasel export --c t.c missing.paths
refuse "a folder" "directory" teasel export --c t.c .
: >empty.paths
refuse "an empty file" "empty" teasel export --c t.c empty.paths
refuse "another file" "not a paths file" teasel export --c t.c ../ends.c
sed '1s/1/9/' $good >bad.paths
refuse "another version" "version '9'" teasel export --c t.c bad.paths
head -n 5 $good >bad.paths
refuse "cut off" "cut off" teasel export --c t.c bad.paths
sed '4s/unsigned/complex/' $good >bad.paths
refuse "an unknown kind" "bad.paths:4: unknown kind" teasel export --c t.c bad.paths
sed '3s/ok/fine/' $good >bad.paths
refuse "an unknown outcome" "bad.paths:3: unknown outcome" teasel export --c t.c bad.paths
sed '4s/$/%/' $good >bad.paths
refuse "a bad escape" "bad.paths:4: .*%25" teasel export --c t.c bad.paths
head -c 100000 /dev/urandom >bad.paths
refuse "random bytes" "bad.paths:1" teasel export --c t.c bad.paths
printf 'teasel-paths 1\nprogram p\nend\n' >bad.paths
refuse "no paths" "has no paths" teasel export --c t.c bad.paths

# ------------------------------------------------------------------ where it can't be written
refuse "--c into nowhere" "No such file" teasel export --c no/where.c $good
refuse "--c without room" "space" teasel export --c /dev/full $good
refuse "--inputs is a file" "bad.paths" teasel export --inputs bad.paths $good
mkdir used
holds "--inputs into a folder" teasel export --inputs used $good 2>err
refuse "but not twice" "earlier export" teasel export --inputs used $good
cat >clean.c <<'C'
#include <teasel.h>
int main(void) {
    if (teasel_int("x") == 3)
        return 1;
    return 0;
}
C
teasel-cc clean.c -o clean
: >file
teasel test ./clean --out file >out 2>err
holds "no room for the paths: the verdict stays" test $? = 0
holds "and one line says so" test "$(grep -c 'teasel export' err)" = 1
cat >none.c <<'C'
int main(void) { return 0; }
C
teasel test none.c --out none >out 2>err
holds "no inputs, no paths" test ! -e none/none.paths

teasel export --help >out 2>err
for option in --inputs --c --out; do
    holds "help names $option" grep -q -e "$option" out
done
teasel help >out
holds "help names the command" grep -q "^  export " out

echo "1..$count"
