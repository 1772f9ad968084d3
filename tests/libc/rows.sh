# shellcheck shell=sh disable=SC2154,SC2034 # what the scripts that read it have set and will look at
# Read by run.sh and run-long.sh: the rows of the table against the real functions, and called from two threads.
# They set $top and $teasel and have read tests/tap.sh.
rows=$top/src/rt/libc
renamed="-Dtsl_libc_find=check_find -Dtsl_libc_rows=check_rows -Dtsl_libc_count=check_count -Dtsl_libc_place=check_place"
renamed="$renamed -Dtsl_libc_length=check_length -Dtsl_libc_succeeded=check_succeeded -Dtsl_libc_writes=check_writes"
flags="-g -std=gnu11 -D_GNU_SOURCE -w -I. -I$top/src -I$top/include $renamed"

# The points of a script that prints TAP itself, as points of this suite.
take_points() { # take_points FILE PREFIX
    sed -n 's/^\(not \)*ok [0-9]* - /\1/p' "$1" >points.txt
    while read -r line; do
        said=$1 # read by point
        [ "${line#not }" = "$line" ]
        point $? "$2: ${line#not }"
    done <points.txt
}

check_rows() {
    "$top/tests/libc/generate" "$top/tests/libc/calls.def" >calls.h
    # shellcheck disable=SC2086 # words
    ${CC:-cc} $flags -o check "$top/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err
    point $? "the check of the table is built"
    timeout 120 ./check >rows.txt 2>err </dev/null || echo "not ok - the check ended early" >>rows.txt
    bad=$(grep -c '^not ok' rows.txt)
    said="rows.txt" point "$bad" "what $(grep -c '^ok' rows.txt) functions store and depend on is what their rows say"
}

# One of STEP parts of the calls, the two searches against each other and against what the real functions did.
try_rows() { # try_rows STEP PART
    "$top/tests/libc/generate" "$top/tests/libc/calls.def" "$1" "$2" >calls.h
    # shellcheck disable=SC2086
    ${CC:-cc} $flags -o some "$top/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err
    timeout 120 ./some expect 2>err </dev/null | grep '^[0-9]' >expected.txt
    # shellcheck disable=SC2086
    "$top/bin/teasel-cc" $flags -DTEASEL -o tcheck "$top/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err
    point $? "part $2 of $1 of the calls is built"
    for strategy in optimal dfs; do
        "$teasel" test --strategy $strategy --keep-going --runs 1000000 --json $strategy.json --out out-$strategy ./tcheck -- threads \
            >$strategy.txt 2>&1
    done
    "$top/tests/libc/compare" expected.txt "$top/tests/libc/check.c" optimal.json dfs.json >compared.txt
    take_points compared.txt "rows $2"
}

# Calls with inputs in what they read.  The functions by which standard output may come back are left out: with them all that is printed
# may be read again.
lose_inputs() { # lose_inputs STEP PART: of the calls that two threads may make; lose_inputs all
    grep -v -E '^[A-Z_]+\((freopen|dup2|dup3)' "$top/tests/libc/calls.def" >inputs.def
    if [ "$1" = all ]; then
        "$top/tests/libc/generate" inputs.def >calls.h
    else
        "$top/tests/libc/generate" inputs.def "$1" "$2" >calls.h
    fi
    # shellcheck disable=SC2086
    ${CC:-cc} $flags -o reads "$top/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err &&
        "$top/bin/teasel-cc" $flags -DTEASEL -o tinputs "$top/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err
    point $? "the calls with inputs are built"
    "$top/tests/libc/inputs" "$teasel" ./reads ./tinputs >inputs.txt 2>&1
    take_points inputs.txt inputs
}
