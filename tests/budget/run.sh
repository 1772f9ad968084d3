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
build chooses_forever && ends_by_itself chooses_forever 1 2300 --strategy paths
for name in increments stopped_child hard_question many_races; do
    ends_when_told "$name" TERM 1300
done
ends_when_told server INT 1300

# The same while the file is compiled, or before the program reaches main: nothing was tested, and nothing is left behind.
for ((i = 0; i < 9000; i++)); do
    echo "int f$i(int x) { int y = x * $i; for (int i = 0; i < x; i++) if (y % ($i + 3)) y += i; return y; }"
done >large.c
echo 'int main(void) { return 0; }' >>large.c
mkdir temporary
for signal in TERM INT; do
    TMPDIR=$work/temporary timeout -s KILL 60 teasel test -o out large.c >log 2>&1 </dev/null &
    sleep 0.6
    begun=$(now)
    kill -"$signal" $!
    wait $!
    code=$?
    late "$begun" 1300
    { echo "exit code $code after $taken ms"; ls temporary; } >>log
    [ "$code" = 3 ] && [ "$taken" -le 1300 ] && grep -q 'stopped by a signal while large.c was compiled' log &&
        [ -z "$(ls temporary)" ] && nobody_is_left large
    point $? "$signal ends it while a file is compiled ($taken ms)"
done
build slow_start
for command in test selfcheck; do
    timeout -s KILL 60 teasel $command -o out slow_start >log 2>&1 </dev/null &
    sleep 0.3
    kill -TERM $!
    wait $!
    code=$?
    echo "exit code $code" >>log
    [ "$code" = 3 ] && grep -q 'stopped by a signal before slow_start reached main' log && nobody_is_left slow_start
    point $? "TERM ends $command before the program reaches main"
done

# selfcheck keeps the same promise; what the clock cuts is not compared, and nothing compared is code 3.
for name in server sleeps increments slow_children; do
    build "$name"
    for tries in 1 2 3; do
        begun=$(now)
        timeout -s KILL 60 teasel selfcheck -t 1 -o out "$name" >log 2>&1 </dev/null
        code=$?
        late "$begun" 2300 || break
    done
    echo "exit code $code after $taken ms" >>log
    [ "$taken" -le 2300 ] && { [ "$code" = 0 ] || [ "$code" = 3 ]; } && nobody_is_left "$name"
    point $? "$name: selfcheck -t 1 ends in time ($taken ms)"
done

# Nor does a batch of runs that is under way keep it from ending.
for tries in 1 2 3; do
    timeout -s KILL 60 teasel selfcheck -t 30 -o out slow_children >log 2>&1 </dev/null &
    sleep 0.7
    begun=$(now)
    kill -TERM $!
    wait $!
    code=$?
    late "$begun" 1000 || break
done
echo "exit code $code after $taken ms" >>log
[ "$taken" -le 1000 ] && { [ "$code" = 0 ] || [ "$code" = 3 ]; } && nobody_is_left slow_children
point $? "slow_children: TERM ends selfcheck in time ($taken ms)"

# A parent takes a while to die on a busy machine: its children are ended all the same.
build leaves_many
for delay in 0.04 0.05 0.06; do
    timeout -s KILL 60 teasel selfcheck -t 30 -o out leaves_many >log 2>&1 </dev/null &
    sleep $delay
    kill -TERM $!
    wait $!
    nobody_is_left leaves_many
    point $? "leaves_many: nobody is left, TERM after $delay s"
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
    teasel test -n 1 --run-seconds 0.3 -o out --json "$name.json" "$name" >"$name.out" 2>&1
    code=$?
    { echo "$expected"; echo "exit code $code"; cat "$name.out"; } >log
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
teasel replay out/flag-1.replay >log 2>&1
[ $? = 1 ] && grep -q hangs log
point $? "the replay of a hang shows it again"
echo "1..$count"
