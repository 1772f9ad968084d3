#!/bin/sh
# What libc and other libraries keep for each thread is the thread's own: with real threads, by optimal and by random.  Prints TAP.
# cpu: 8
. "$(dirname "$0")/../lib.sh"

set -- "-DPLUGIN=\"$work/plugin.so\"" "-DNEAR_PLUGIN=\"$work/near.so\""
clang-19 -O1 -shared -fPIC "$here/library.c" -o liblibrary.so &&
    clang-19 -O1 -shared -fPIC -DPLUGIN "$here/library.c" -o plugin.so &&
    clang-19 -O1 -shared -fPIC -DPLUGIN -DNEAR_PLUGIN "$here/library.c" -o near.so &&
    clang-19 -O1 "$@" "$here/program.c" -o native -L. -llibrary -Wl,-rpath,"$work" &&
    teasel-cc -O1 "$@" "$here/program.c" -o tested -L. -llibrary -Wl,-rpath,"$work" >log 2>&1
point $? "the programs are built"
# shellcheck disable=SC2013 # names have no blanks
for row in $(sed -n 's/^R(\([a-z_]*\),.*/\1/p' "$here/rows.def"); do
    timeout 10 ./native "$row" >log 2>&1
    point $? "$row: real threads"
    teasel test -t 20 -q --strategy optimal --json answer.json ./tested -- "$row" >log 2>&1 &&
        grep -q '"verdict": "complete' answer.json &&
        teasel test -n 40 -q --strategy random ./tested -- "$row" >log 2>&1
    point $? "$row: no thread notices the other"
done
teasel test -n 20 -q --leaks --strategy random ./tested -- error_text >log 2>&1
point $? "what libc keeps for a thread is no leak"
echo "1..$count"
