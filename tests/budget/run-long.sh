#!/bin/bash
# Programs that are long, endless, wide, greedy or stopped: each ends by itself a second behind its
# budget at the latest, and a second after a signal.  Prints TAP.
# cpu: 260
# alone

# shellcheck source=tests/budget/budget.sh
. "$(dirname "$0")/budget.sh"

for file in "$programs"/*.c; do
    name=$(basename "$file" .c)
    if ! build "$name"; then
        point 1 "$name is built"
        continue
    fi
    ends_by_itself "$name" 3 4000
    ends_when_told "$name" TERM 1000
done
# Runs that never end do not keep others from being tried: some inputs of the menu lead out of it.
build menu
teasel test -t 10 --json menu.json -o out menu >menu.out 2>&1
code=$?
{ echo "exit code $code"; tail -7 menu.out; } >log
[ "$code" -eq 0 ] && python3 -c '
import json, sys
lines = json.load(open("menu.json"))["coverage"]
sys.exit(lines["lines"] != lines["total_lines"])' 2>>log
point $? "menu: every line is reached in 10 s"
echo "1..$count"
