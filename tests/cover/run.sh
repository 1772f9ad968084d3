#!/bin/sh
# Coverage: what was reached, line by line and outcome by outcome, and nothing else.  Prints TAP.
#
# NAME.info beside a program is what must be reached, as an lcov tracefile; NAME-ARG.info
# that of a run with an argument.
# cpu: 21

# shellcheck disable=SC2016 # dollars in quotes are sed's
. "$(dirname "$0")/../lib.sh"
cp -r "$here"/*.c "$here"/*.h "$here"/*.info "$here/parts" . || exit 2

# covers NAME EXPECTED.info FLAGS...: teasel test FLAGS reaches exactly that.
covers() {
    name=$1
    wanted=$2
    shift 2
    teasel test --coverage raw.info "$@" >said 2>&1
    sed "s|^SF:$work/|SF:|" raw.info >got.info
    holds "$name" diff -u "$wanted" got.info
    rm -f raw.info
}

# ---- what is reached
covers "if, loops, switch, && || and ?:" branches.info branches.c
covers "outcomes that need another schedule" threads.info threads.c --json threads.json
covers "a process per run" threads.info threads.c --fork --json fork.json
holds "the same in JSON" test "$(field threads.json c)" = "$(field fork.json c)"
covers "restarted ten thousand times" threads.info threads.c --strategy random --runs 10000
covers "before main and behind it" early.info early.c
covers "up to a fault" early-1.info early.c -- 1
covers "up to an abort" early-2.info early.c -- 2
covers "up to SIGKILL" early-3.info early.c -- 3
covers "in a loop that does not end" early-4.info early.c --run-seconds 1 --cflags -O2 -- 4
covers "up to a fault, a process per run" early-1.info early.c --fork -- 1
covers "up to SIGKILL, a process per run" early-3.info early.c --fork -- 3

teasel test threads.c --runs 1 --json one.json >log 2>&1
same "one run is one run, whatever the self-check did" 2 "$(field one.json 'c["branches"]')"
for i in 1 2 3; do
    teasel test "$root/examples/lost_update.c" --json "$i.json" >log 2>&1
    field "$i.json" '(c["branches"], c["lines"])' >"$i.txt"
done
holds "a search that stops at a bug covers the same each time" cmp 1.txt 3.txt

# ---- JSON
teasel test branches.c --json b.json >said 2>&1
same "branches of the program" "20 37" "$(field b.json '"%d %d" % (c["branches"], c["total_branches"])')"
same "lines of the program" "41 49" "$(field b.json '"%d %d" % (c["lines"], c["total_lines"])')"
same "functions of the program" "5 6" \
    "$(field b.json '"%d %d" % (c["entered_functions"], c["total_functions"])')"
same "each function" "choose 4 5/12 10/12,loops 19 8/10 13/15,pick 36 3/5 9/11,\
conditional 55 3/6 4/4,never 61 0/2 0/1,main 63 1/2 5/6" \
    "$(field b.json '",".join("%(name)s %(line)d %(branches)d/%(total_branches)d %(lines)d/%(total_lines)d"
        % f for f in c["functions"])')"
same "its file as it was given" branches.c "$(field b.json 'c["functions"][0]["file"]')"
same "whether it was entered" "True False" \
    "$(field b.json '"%s %s" % (c["functions"][0]["entered"], c["functions"][4]["entered"])')"
holds "and the last lines say it" grep -q "covered: 20 of 37 branches, 41 of 49 lines, 5 of 6" said
teasel test "$root/examples/lost_update.c" --json lost.json >log 2>&1
teasel replay "$(field lost.json 'j["bugs"][0]["replay"]')" --json replay.json >log 2>&1
same "a replay covers its one run" True "$(field replay.json '0 < c["lines"] <= c["total_lines"]')"
python3 - >said 2>&1 <<'P'
import os, pty, subprocess
master, slave = pty.openpty()
child = subprocess.Popen(["teasel", "test", "threads.c", "--strategy", "random", "--seconds", "1"],
                         stdout=subprocess.DEVNULL, stderr=slave)
os.close(slave)
try:
    while True:
        os.write(1, os.read(master, 65536))
except OSError:
    pass
child.wait()
P
holds "the status line has branches" grep -q "6/6 branches" said

# ---- several files
(cd parts && teasel-cc -c even.c && teasel-cc -c main.c) && teasel-cc parts/even.o parts/main.o -o both
teasel test ./both --coverage both.info >log 2>&1
same "files once each, by their full names" "$work/inline.h $work/parts/even.c $work/parts/main.c" \
    "$(sed -n 's/^SF://p' both.info | tr '\n' ' ' | sed 's/ $//')"
same "copies of a function are one" "FN:5,half FNDA:1,half BRDA:6,0,0,0 BRDA:6,0,1,1" \
    "$(sed -n '/inline.h/,/end_of/p' both.info | grep -e '^FN:' -e FNDA -e BRDA | tr '\n' ' ' |
        sed 's/ $//')"
same "reached by one of them" "DA:5,1 DA:6,1 DA:7,0 DA:8,1 DA:9,1" \
    "$(sed -n '/inline.h/,/end_of/p' both.info | grep '^DA' | tr '\n' ' ' | sed 's/ $//')"
cat >plugin.c <<'C'
int plugged(int n);
int plugged(int n) { return n ? 1 : 2; }
C
cat >loader.c <<'C'
#include <dlfcn.h>
int main(void) {
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    int (*plugged)(int) = (int (*)(int))dlsym(plugin, "plugged");
    if (plugged(1) != 1)
        return 1;
    dlclose(plugin);
    return 0;
}
C
teasel-cc -shared -fPIC plugin.c -o plugin.so && teasel-cc loader.c -o loader -ldl
teasel test ./loader --strategy random --runs 200 --json loader.json >log 2>&1
same "what is loaded while running is not counted" "1 2 main" \
    "$(field loader.json '"%d %d %s" % (c["branches"], c["total_branches"], c["functions"][0]["name"])')"
cat >library.c <<'C'
int called(int n);
int (*callback)(int);
__attribute__((constructor)) static void start(void) { callback = callback ? callback : called; }
int called(int n) { return n ? 1 : 2; }
C
cat >linked.c <<'C'
int called(int n);
int main(void) { return called(1) - 1; }
C
teasel-cc -shared -fPIC library.c -o liblibrary.so && teasel-cc linked.c -o linked -L. -llibrary -Wl,-rpath,.
teasel test ./linked --json linked.json >log 2>&1
same "what is linked is" "called start main" \
    "$(field linked.json '" ".join(f["name"] for f in sorted(c["functions"], key=lambda f: (f["file"], -f["line"])) if f["entered"])')"

# ---- a program that spoils what it shares with the tool
cat >vandal.c <<'C'
#include <stdint.h>
#include <string.h>
#include "abi/layout.h"
#include "abi/wire.h"
int main(void) {
    volatile tsl_wire *wire = (tsl_wire *)TSL_WIRE_ADDR;
    char *base = (char *)TSL_WIRE_ADDR;
    memset((char *)TSL_COVER_ADDR, 0xff, 4096);
    memset(base + wire->cover_funcs_offset, 0xff, 4096);
    memset(base + wire->cover_places_offset, 0xff, 4096);
    memset(base + wire->cover_logged_offset, 0, 4096);
    memset(base + wire->cover_log_offset, 0xff, 4096);
    wire->ncover_funcs = wire->ncover_places = wire->npoints = UINT32_MAX;
    return 0;
}
C
status=0
teasel test vandal.c --cflags "-I$root/src -I$root/src/abi" --json vandal.json >log 2>&1 || status=$?
same "the tool goes on" "0 10" "$status $(field vandal.json 'c["total_lines"]')"

# ---- teasel report
teasel test branches.c -o kept --coverage direct.info >log 2>&1
holds "teasel report writes the same" teasel report --coverage later.info -o kept
holds "to the last byte" cmp direct.info later.info
teasel report --coverage - -o kept >dash.info 2>log
holds "- is standard output" cmp direct.info dash.info
teasel test early.c -o kept >log 2>&1
teasel test early.c -o elsewhere -- 1 >log 2>&1
teasel report --coverage two.info -o kept >log 2>&1
same "several programs are put together" "early.c branches.c" \
    "$(sed -n 's/^SF:.*\///p' two.info | sort -r | tr '\n' ' ' | sed 's/ $//')"
holds "or those that are named" teasel report --coverage named.info -o kept ./branches
holds "and no other" cmp direct.info named.info
cp elsewhere/early.coverage kept/early1.coverage
teasel report --coverage union.info -o kept early early1 >log 2>&1
same "reached is what one of them reached" "DA:20,1 DA:22,0 DA:25,1 BRDA:19,0,0,1 BRDA:19,0,1,1" \
    "$(grep -e DA:20, -e DA:22, -e DA:25, -e BRDA:19, union.info | sort -t: -k1,1r | tr '\n' ' ' | sed 's/ $//')"
teasel test branches.c -o kept >log 2>&1
holds "the last campaign counts" teasel report --coverage named.info -o kept branches

refuse "nothing to report" "teasel report --coverage FILE" teasel report
refuse "nothing was tested" "run .teasel test" teasel report --coverage x.info -o nowhere
mkdir empty
refuse "nothing was kept" "run .teasel test" teasel report --coverage x.info -o empty
refuse "nothing of that program" "run .teasel test other" teasel report --coverage x.info -o kept other
refuse "no folder" "branches.c" teasel report --coverage x.info -o branches.c
refuse "can't be written" "/dev/full" teasel report --coverage /dev/full -o kept
refuse "standard output can't be written" "standard output" \
    sh -c 'teasel report --coverage - -o kept >/dev/full'
refuse "test --coverage into no folder" "nowhere" teasel test branches.c --coverage nowhere/x.info

damage() { # damage NAME SED-SCRIPT
    sed "$2" kept/branches.coverage >empty/branches.coverage
    refuse "damaged: $1" "empty/branches.coverage" teasel report --coverage x.info -o empty
}
damage "the end is cut off" '$d'
damage "the last file is cut off" '2,$d'
damage "a line is missing" '/^DA:6,/d'
damage "a number is no number" 's/^DA:6,1/DA:6,one/'
damage "a number is too large" 's/^DA:6,/DA:66666666666,/'
damage "a branch is missing" '/^BRDA:6,0,1/d'
damage "a function is missing" '/^FN:4,/d'
damage "junk" '5s/.*/junk/'
damage "of another version" '1s/ 1,/ 2,/'
damage "not a coverage file" 1d
: >empty/branches.coverage
refuse "damaged: empty" "empty/branches.coverage" teasel report --coverage x.info -o empty
head -c 4096 /dev/urandom >empty/branches.coverage
refuse "damaged: noise" "empty/branches.coverage" teasel report --coverage x.info -o empty
chmod 555 empty
teasel test branches.c -o kept >log 2>&1
if [ "$(id -u)" -ne 0 ]; then
    status=0
    teasel test kept/branches -o empty >log 2>&1 || status=$?
    same "a folder that can't be written is no failure" 0 "$status"
fi
chmod 755 empty

# ---- as others see it
if command -v llvm-cov-19 >/dev/null; then
    for name in branches early threads; do
        mkdir "gcov-$name"
        (cd "gcov-$name" && clang-19 --coverage -pthread "../$name.c" -o program && ./program &&
            llvm-cov-19 gcov -t ./*.gcda) >gcov.txt 2>log
        # Which lines have code does not depend on the schedule; which were reached does.
        strip=s/x/x/
        if [ "$name" = threads ]; then strip='s/,.*//'; fi
        awk -F: '$2 + 0 > 0 { gsub(/ /, ""); if ($1 != "-") print $2 "," ($1 ~ /[#=]/ ? 0 : 1) }' \
            gcov.txt | sed "$strip" >gcov.lines
        sed -n 's/^DA://p' "$name.info" | sed "$strip" >our.lines
        holds "the lines gcov counts: $name" diff our.lines gcov.lines
    done
fi
if command -v genhtml >/dev/null; then
    holds "genhtml reads it" genhtml --branch-coverage -o html two.info
    holds "and shows the file" test -n "$(find html -name 'branches.c.gcov.html')"
else
    count=$((count + 1))
    echo "ok $count - genhtml reads it # SKIP not installed"
fi

echo "1..$count"
