#!/bin/sh
# What libc and other libraries keep for each thread is the thread's own: with real threads, by optimal and by random.  Prints TAP.
# cpu: 8
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
said=details
# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"

set -- "-DPLUGIN=\"$dir/plugin.so\"" "-DNEAR_PLUGIN=\"$dir/near.so\""
clang-19 -O1 -shared -fPIC "$here/library.c" -o liblibrary.so &&
    clang-19 -O1 -shared -fPIC -DPLUGIN "$here/library.c" -o plugin.so &&
    clang-19 -O1 -shared -fPIC -DPLUGIN -DNEAR_PLUGIN "$here/library.c" -o near.so &&
    clang-19 -O1 "$@" "$here/program.c" -o native -L. -llibrary -Wl,-rpath,"$dir" &&
    "$top/bin/teasel-cc" -O1 "$@" "$here/program.c" -o tested -L. -llibrary -Wl,-rpath,"$dir" >details 2>&1
point $? "the programs are built"
# shellcheck disable=SC2013 # names have no blanks
for row in $(sed -n 's/^R(\([a-z_]*\),.*/\1/p' "$here/rows.def"); do
    timeout 10 ./native "$row" >details 2>&1
    point $? "$row: real threads"
    "$top/bin/teasel" test -t 20 -q --strategy optimal --json answer.json ./tested -- "$row" >details 2>&1 &&
        grep -q '"verdict": "complete' answer.json &&
        "$top/bin/teasel" test -n 40 -q --strategy random ./tested -- "$row" >details 2>&1
    point $? "$row: no thread notices the other"
done
"$top/bin/teasel" test -n 20 -q --leaks --strategy random ./tested -- error_text >details 2>&1
point $? "what libc keeps for a thread is no leak"
echo "1..$count"
