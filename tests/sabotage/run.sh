#!/bin/sh
# Every rule that can be broken (src/abi/sabotage.h) is broken once: the oracles must notice.
# Prints TAP.  With a rule's name as argument, only that one, and what the oracle says.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 2
cc=${CC:-clang-19}
jobs=${JOBS:-2}

rules=$(sed -n 's/^ *TSL_BREAK_\([A-Z_]*\),.*/\1/p' src/abi/sabotage.h | grep -v '^NOTHING$')
[ $# -gt 0 ] && rules=$*
broken="$(grep -l TSL_BROKEN src/model/*.c src/explore/*.c)
$(grep -l abi/sample.h tests/vm/*.c)"
# shellcheck disable=SC2010
rest=$(ls src/base/*.c src/trace/*.c src/model/*.c src/expr/*.c src/solve/*.c src/explore/*.c tests/vm/*.c \
    tests/oracle/corpus.c tests/oracle/exact.c tests/oracle/oracle.c tests/oracle/sleepset.c | grep -v -x -F "$broken")
flags="-std=gnu11 -O1 -D_GNU_SOURCE -Isrc -Itests"

# shellcheck disable=SC2086,SC2016
compile() { # into a folder, with more flags
    into=$1
    shift
    mkdir -p "$into"
    for file in $files; do
        echo "$file"
    done | xargs -P "$jobs" -I{} sh -c '"$0" "$@" -c "{}" -o "$into/$(echo {} | tr / _).o"' \
        "$cc" $flags "$@"
}
export into

files="$rest tests/oracle/test_strategies.c tests/oracle/test_history.c tests/oracle/test_bounded.c \
    tests/oracle/test_samplers.c"
into=$work/rest
compile "$work/rest" || { echo "Bail out! the oracles do not compile"; exit 2; }
mains="test_strategies test_history test_bounded test_samplers"
for main in $mains; do
    mv "$work/rest/tests_oracle_$main.c.o" "$work/$main.o"
done

oracles_of() {
    case $1 in
    BOUND_*) echo bounded ;;
    OTHER_WAY | VALUES | DECIDED | INPUTS | OUTCOME | CAS_INPUTS) echo inputs history ;;
    CHOOSE) echo paths ;;
    TOSS | SCHEDULABLE | CHANGE | REDRAW | WEIGHT) echo samplers ;;
    NOTHING) echo history small large rwlocks inputs bounded paths samplers ;;
    *) echo history small large rwlocks ;;
    esac
}

check_with() {
    case $1 in
    history) check "$into/test_history" --programs 20 ;;
    small) check "$into/test_strategies" --strategy optimal --programs 40 --failures "$work" ;;
    large) check "$into/test_strategies" --strategy optimal --programs 40 --large --failures "$work" ;;
    rwlocks) check "$into/test_strategies" --strategy optimal --programs 90 --large --profile rwlocks \
        --limit 20000 --failures "$work" ;;
    inputs) check "$into/test_strategies" --inputs --strategy optimal --programs 40 --large \
        --failures "$work" ;;
    bounded) check "$into/test_bounded" --programs 5 ;;
    paths) check "$into/test_strategies" --inputs --strategy paths --profile alone --programs 40 \
        --failures "$work" ;;
    samplers) check "$into/test_samplers" --runs 20000 ;;
    esac
}

n=0 failed=0
for rule in NOTHING $rules; do
    n=$((n + 1))
    noticed=no
    into=$work/$rule
    files=$broken
    if ! compile "$into" "-DTSL_SABOTAGE=TSL_BREAK_$rule"; then
        echo "Bail out! $rule does not compile"
        exit 2
    fi
    for main in $mains; do
        "$cc" "$work/$main.o" "$into"/*.o "$work"/rest/*.o -lz3 -lm -o "$into/$main" || exit 2
    done
    check() { # being slow is not being noticed
        timeout 100 "$@" >>"$work/out" 2>&1
        case $? in
        0 | 124) ;;
        *) noticed=yes ;;
        esac
    }
    : >"$work/out"
    # The oracle that ought to notice comes first; all of them must be content with what is whole.
    for oracle in $(oracles_of "$rule"); do
        [ $noticed = no ] && check_with "$oracle"
    done
    wanted=yes
    [ "$rule" = NOTHING ] && wanted=no
    if [ $noticed = $wanted ]; then
        echo "ok $n - $rule"
    else
        echo "not ok $n - $rule: noticed: $noticed"
        grep -v '^ok' "$work/out" | sed 's/^/# /' | head -20
        failed=1
    fi
    [ $# -gt 0 ] && grep -E '^(not ok|# .*fails)' "$work/out" | sed 's/^/# /'
    rm -rf "$into"
done
echo "1..$n"
exit $failed
