#!/bin/sh
# Every rule that can be broken (src/abi/sabotage.h) is broken once: the oracles must notice.
#
#     run.sh              all rules, $JOBS at a time; prints TAP
#     run.sh RULE ...     only these, and what the oracles say
#
# There is one build for all rules ($BUILD, build/): the variable TSL_BREAK of the environment holds the number of the
# broken one.  NOTHING is a rule too: all oracles must be content with what is whole.
# cpu: 60
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
build=${BUILD:-build}
oracle=$build/tests/oracle/sabotaged_

# The cheapest oracle that ought to notice comes first.
oracles_of() {
    case $1 in
    BOUND_*) echo bounded ;;
    OTHER_WAY | VALUES | DECIDED | INPUTS | OUTCOME | CAS_INPUTS) echo inputs history ;;
    CHOOSE) echo paths ;;
    REQUEST_*) echo cancels ;;
    SIGNAL_*) echo kills ;;
    STRAY_*) echo stray ;;
    EXITS) echo exits ;;
    ENABLED) echo enabled ;;
    OPAQUE) echo opaques ;;
    TOSS | SCHEDULABLE) echo rapos ;;
    CHANGE) echo pct ;;
    REDRAW) echo pos ;;
    WEIGHT) echo surw ;;
    BIASED) echo random ;;
    RELAXED_* | RMW_CONTINUES | OWN_STORES | *_FENCE | MIXED | FIRST_RACES | CONSUME | CAS_READS) echo races ;;
    NOTHING) echo history small large rwlocks inputs bounded paths cancels kills stray exits enabled opaques random rapos pct pos surw races orders ;;
    *) echo history large rwlocks small ;;
    esac
}

strategies() {
    "${oracle}strategies" --stop --failures "$work" "$@"
}

samplers() {
    "${oracle}samplers" --runs 20000 "$@"
}

notices() { # notices ORACLE
    case $1 in
    history) "${oracle}history" --programs 20 ;;
    small) strategies --strategy optimal --programs 40 ;;
    large) strategies --strategy optimal --programs 40 --large ;;
    rwlocks) strategies --strategy optimal --programs 90 --large --profile rwlocks --limit 20000 ;;
    inputs) strategies --inputs --strategy optimal --programs 40 --large ;;
    races) "${oracle}races" --profile orders --programs 300 --limit 1000 ;;
    orders) strategies --orders --strategy optimal --programs 150 ;;
    bounded) "${oracle}bounded" --programs 5 ;;
    cancels) strategies --cancels --strategy optimal --programs 200 --large ;;
    kills) strategies --kills --strategy optimal --programs 150 ;;
    stray) "${oracle}stray" --programs 800 --strategy optimal ;;
    enabled) strategies --strategy source --programs 40 ;;
    exits) strategies --exits --strategy optimal --programs 60 ;;
    opaques) strategies --opaques --strategy optimal --programs 40 ;;
    paths) strategies --inputs --strategy paths --profile alone --programs 40 ;;
    rapos) samplers --sampler rapos ;;
    random) samplers --sampler random ;;
    pct) samplers --sampler pct ;;
    pos) samplers --sampler pos --program repeated-writes ;;
    surw) samplers --sampler surw ;;
    esac
}

# run.sh --one RULE NUMBER FOLDER: ends with 0 if the rule was noticed (NOTHING: if it was not).  What was said stays in
# the folder.  Being slow is not being noticed: an oracle that takes long is stopped, and counts as content.
one_rule() {
    rule=$1 work=$3 noticed=no
    TSL_BREAK=$2
    export TSL_BREAK
    for name in $(oracles_of "$rule"); do
        timeout 100 "$0" --oracle "$name" "$work" >>"$work/$rule" 2>&1
        case $? in
        0 | 124) ;;
        99) break ;; # the build does not know the rule
        *) noticed="$name" && break ;;
        esac
    done
    if [ "$rule" = NOTHING ]; then [ "$noticed" = no ]; else [ "$noticed" != no ]; fi
    echo "$? $noticed" >"$work/$rule.done"
}

case ${1:-} in
--one)
    shift
    one_rule "$@"
    exit
    ;;
--oracle)
    work=$3
    notices "$2"
    exit
    ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ninja -C "$build" -j "${JOBS:-2}" sabotaged-oracles >"$work/build" 2>&1 || {
    sed 's/^/# /' "$work/build"
    echo "Bail out! the oracles do not compile"
    exit 2
}
sed -n 's/^ *TSL_BREAK_\([A-Z0-9_]*\),.*/\1/p' src/abi/sabotage.h | awk '{ print $1, NR - 1 }' >"$work/rules"
mv "$work/rules" "$work/known"
# shellcheck disable=SC2048 # names have no blanks
for rule in ${*:-$(cut -d ' ' -f 1 "$work/known")}; do
    grep "^$rule " "$work/known" >>"$work/rules" || { echo "Bail out! there is no rule $rule" && exit 2; }
done
# shellcheck disable=SC2016 # the inner shell expands them
xargs -P "${JOBS:-2}" -I{} sh -c 'exec "$0" --one {} "$1"' "$0" "$work" <"$work/rules"

n=0 failed=0
while read -r rule _; do
    n=$((n + 1))
    read -r status noticed 2>/dev/null <"$work/$rule.done" || status=1 noticed='it did not end'
    if [ "$status" -eq 0 ]; then
        echo "ok $n - $rule"
    else
        echo "not ok $n - $rule: noticed: $noticed"
        grep -v '^ok' "$work/$rule" | sed 's/^/# /' | head -20
        failed=1
    fi
    [ $# -gt 0 ] && { echo "# noticed: $noticed" && grep -E '^(not ok|# .*fails)' "$work/$rule" | sed 's/^/# /'; }
done <"$work/rules"
echo "1..$n"
exit $failed
