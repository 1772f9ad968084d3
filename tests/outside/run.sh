#!/bin/sh
# What a program learns from outside is the same in every run, or the campaign says so.  Prints TAP.
#
#     tests/outside/run.sh [NAME...]
# cpu: 20
. "$(dirname "$0")/../lib.sh"

said="out json"

teasel-cc -w -g -o source "$root/tests/outside/source.c" 2>out || { cat out; exit 2; } # the linker warns of tmpnam
names=${*:-$(sed -n '/run-long/q; s/^SOURCE(\([a-z0-9_]*\),.*/\1/p' "$root/tests/outside/sources.def")}

# 20 runs each, and as many in processes of their own, compared with each other; or a reason is given.
for name in $names; do
    teasel selfcheck --plans 20 ./source -- "$name" >out 2>&1
    same=$?
    # Another campaign, on another day, sees the same too.
    teasel test -n 1 -q --fail-on-exit --strategy random -o found ./source -- "$name" fail >>out 2>&1
    teasel replay found/source-1.replay >replayed 2>&1
    grep -q "the same trace, step for step" replayed || same=1
    teasel test -n 20 -q --strategy random --json json -o found ./source -- "$name" >>out 2>&1
    named=$(python3 -c '
import json
reasons = {r["reason"] if isinstance(r, dict) else r for r in json.load(open("json"))["reasons"]}
print("named" if reasons & {"outside", "uncontrolled", "unknown-call", "diverged"} else "")')
    status=1
    if [ "$same" -eq 0 ] || [ -n "$named" ]; then status=0; fi
    how=named
    [ "$same" -eq 0 ] && how="the same in all runs"
    point $status "$name: $how"
done
echo "1..$count"
