#!/bin/sh
# The strategy that docs/strategy.md explains, on real programs: it sees what dfs sees, and claims no more than that.
# Prints TAP.  (The meson test `toy` holds it to brute force over model programs.)
# cpu: 8
. "$(dirname "$0")/../lib.sh"
toy=$root/${BUILD:-build}/tests/toy/teasel

# What a search saw: how many runs ended how, the bugs, the partial orders, and whether it claims all of that.
cat >seen.py <<'P'
import json, sys
told = json.load(open(sys.argv[1]))
ends = {kind: n for kind, n in told["outcomes"].items() if kind != "stopped"}
bugs = sorted((bug["kind"], bug["line"]) for bug in told["bugs"])
failed = any(kind not in ("ok", "deadlock", "rejected", "spun") for kind in ends)
print(ends, bugs, told["traces"], failed or told["extent"])
P
for source in examples/lost_update examples/counter_fixed examples/double_checked examples/missed_signal \
    tests/e2e/closed_form/timedwait tests/e2e/closed_form/signal_2_waiters; do
    program=$(basename "$source")
    teasel-cc -g "$root/$source.c" -o "$program" || exit 2
    for strategy in toy dfs; do
        "$toy" test "./$program" --strategy $strategy --keep-going --runs 3000000 --json $strategy.json >out 2>err
        python3 seen.py $strategy.json >$strategy.seen
    done
    holds "$program: the toy sees what dfs sees" diff toy.seen dfs.seen
done

# The page and the code.
cat >page.py <<'P'
import re, sys
page, code = (open(name).read() for name in sys.argv[1:])
pieces = re.findall(r"^```c\n(.*?)^```$", page, re.M | re.S)
missing = [piece for piece in pieces if piece not in code]
print(*missing, sep="\n")
sys.exit(bool(missing) or not pieces)
P
holds "every piece of code in docs/strategy.md stands in strategy.c" python3 page.py "$root/docs/strategy.md" "$here/strategy.c"
same "it has at most sixty lines of code" yes "$([ "$(grep -cvE '^ *(//.*)?$' "$here/strategy.c")" -le 60 ] && echo yes)"

echo "1..$count"
