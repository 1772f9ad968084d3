#!/bin/sh
# Every row of the table called from two threads, not only some of them.  Prints TAP.
# cpu: 180
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
teasel=$top/bin/teasel
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"
# shellcheck source=tests/libc/rows.sh
. "$top/tests/libc/rows.sh"

for part in $(seq 0 29); do
    try_rows 30 "$part"
done
lose_inputs all
echo "1..$count"
