#!/bin/sh
# Every row of the table called from two threads, not only some of them: STEP parts, one after the other.
for first in $(seq 0 29); do
    STEP=30 FIRST=$first "$(dirname "$0")/run.sh" || exit 1
done
