#!/bin/bash
# -t is a promise, on any program; a run that provably never ends is found.  A part of run-long.sh: a
# dozen programs with a budget of one second.  Prints TAP.
# cpu: 45
# alone

# shellcheck source=tests/budget/budget.sh
. "$(dirname "$0")/budget.sh"

for name in word_halves increments poll_time server many_threads hard_question stops_itself stopped_child \
    greedy_child many_races wide_choice memcpy_storm sorts_inputs leaves_daemon; do
    if build "$name"; then ends_by_itself "$name" 1 2300; else point 1 "$name is built"; fi
done
for name in increments stopped_child hard_question many_races; do
    ends_when_told "$name" TERM 1300
done
ends_when_told server INT 1300

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
