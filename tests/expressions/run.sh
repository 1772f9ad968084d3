#!/bin/sh
# Random expressions: what the runtime takes for a value is what the compiler computed, at every
# width, and every branch the solver turns is taken, whichever strategy asks.  Prints TAP.
#
#     tests/expressions/run.sh [FIRST-SEED [FILES [RUNS]]]
# cpu: 25
. "$(dirname "$0")/../lib.sh"
first=${1:-1}
files=${2:-8}
runs=${3:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

seed=$first
while [ "$seed" -lt $((first + files)) ]; do
    "$root/tests/expressions/generate" "$seed" 10 >"e$seed.c"
    level=$((seed % 3))
    case $((seed % 5)) in
    0) strategy=optimal ;;
    1) strategy=dfs ;;
    2) strategy=paths ;;
    3) strategy=portfolio ;;
    4) strategy=random ;;
    esac
    timeout 300 teasel test "e$seed.c" "--cflags=-O$level -w" --strategy "$strategy" -n "$runs" -t 40 \
        --solver-check --solver-seconds 0.2 -q --json r.json >out 2>&1
    status=$?
    if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then
        why="exit status $status"
    else
        why=$(python3 -c '
import json
r = json.load(open("r.json"))
notes = [n["text"] for n in r["census"]["notes"]]
if r["concretised"]:
    print("a value was lost:", notes)
elif r["mispredicted"] > (r["solver"] or {}).get("optimistic", 0):  # guesses may go wrong
    print(r["mispredicted"], "runs went another way")
elif r["bugs"]:
    print("bugs", [b["message"] for b in r["bugs"]])
elif not r["solver"] or not r["solver"]["sat"]:
    print("no branch was turned")')
    fi
    echo "$why" >log
    [ -z "$why" ]
    point $? "seed $seed, $strategy" || cp "e$seed.c" "${TMPDIR:-/tmp}/"
    seed=$((seed + 1))
done
echo "1..$count"
