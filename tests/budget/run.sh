#!/bin/bash
# -t is a promise, on any program; a run that provably never ends is found.  A part of run-long.sh: a
# dozen programs with a budget of one second.  Prints TAP.
# cpu: 45
# alone

# shellcheck source=tests/budget/budget.sh
. "$(dirname "$0")/budget.sh"

for name in word_halves increments poll_time server many_threads hard_question stops_itself stopped_child \
    greedy_child many_races deep_sums wide_choice memcpy_storm sorts_inputs leaves_daemon; do
    if build "$name"; then ends_by_itself "$name" 1 2300; else point 1 "$name is built"; fi
done
for name in increments stopped_child hard_question many_races; do
    ends_when_told "$name" TERM 1300
done
ends_when_told server INT 1300

# selfcheck keeps the same promise; what the clock cuts is not compared, and nothing compared is code 3.
for name in server sleeps increments; do
    build "$name"
    for tries in 1 2 3; do
        begun=$(now)
        timeout -s KILL 60 "$teasel" selfcheck -t 1 -o out "$name" >details 2>&1 </dev/null
        code=$?
        late "$begun" 2300 || break
    done
    echo "exit code $code after $taken ms" >>details
    [ "$taken" -le 2300 ] && { [ "$code" = 0 ] || [ "$code" = 3 ]; } && nobody_is_left "$name"
    point $? "$name: selfcheck -t 1 ends in time ($taken ms)"
done

# Hundreds of findings are saved and told within the second, too.
"$root/tests/budget/many_findings.py" >many_findings.c
"$root/bin/teasel-cc" -O1 -g -o many_findings many_findings.c -lpthread 2>many_findings.build
ends_by_itself many_findings 1 2300
ends_when_told many_findings TERM 1300

# The table of runs that never end, and of those that only seem to.
for file in "$root"/tests/budget/hangs/*.c; do
    name=$(basename "$file" .c)
    expected=$(head -n 1 "$file")
    programs=$root/tests/budget/hangs build "$name" || point 1 "$name is built"
    "$teasel" test -n 1 --run-seconds 0.3 -o out --json "$name.json" "$name" >"$name.out" 2>&1
    code=$?
    { echo "$expected"; echo "exit code $code"; cat "$name.out"; } >details
    case $expected in
    "// hangs"*)
        [ $code = 1 ] && grep -q '"kind": *"hang"' "$name.json"
        point $? "$name hangs"
        ;;
    *)
        [ $code = 3 ] && ! grep -q '"kind": *"hang"' "$name.json"
        point $? "$name: nothing is proven"
        ;;
    esac
done
"$teasel" replay out/flag-1.replay >details 2>&1
[ $? = 1 ] && grep -q hangs details
point $? "the replay of a hang shows it again"
echo "1..$count"
