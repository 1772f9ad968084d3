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
echo "1..$count"
