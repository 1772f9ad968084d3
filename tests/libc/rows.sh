# shellcheck shell=sh disable=SC2154 # what tests/lib.sh sets
# Read by run.sh and run-long.sh, which have read tests/lib.sh: the rows of the table against the real functions, and
# called from two threads.
rows=$root/src/rt/libc
renamed="-Dtsl_libc_find=check_find -Dtsl_libc_rows=check_rows -Dtsl_libc_place=check_place"
renamed="$renamed -Dtsl_libc_length=check_length -Dtsl_libc_succeeded=check_succeeded -Dtsl_libc_writes=check_writes"
renamed="$renamed -Dtsl_libc_uses=check_uses -Dtsl_libc_names_file=check_names -Dtsl_libc_reads_seconds=check_seconds"
flags="-g -std=gnu11 -D_GNU_SOURCE -w -I. -I$root/src -I$root/include $renamed"

check_rows() {
    "$root/tests/libc/generate" "$root/tests/libc/calls.def" >calls.h
    # shellcheck disable=SC2086 # words
    ${CC:-cc} $flags -o check "$root/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err
    point $? "the check of the table is built"
    timeout 120 ./check >rows.txt 2>err </dev/null || echo "not ok - the check ended early" >>rows.txt
    bad=$(grep -c '^not ok' rows.txt)
    said="rows.txt" point "$bad" "what $(grep -c '^ok' rows.txt) functions store and depend on is what their rows say"
}

# One of STEP parts of the calls, the two searches against each other and against what the real functions did.
try_rows() { # try_rows STEP PART
    "$root/tests/libc/generate" "$root/tests/libc/calls.def" "$1" "$2" >calls.h
    # shellcheck disable=SC2086
    ${CC:-cc} $flags -o some "$root/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err
    timeout 120 ./some expect 2>err </dev/null | grep '^[0-9]' >expected.txt
    # shellcheck disable=SC2086
    teasel-cc $flags -DTEASEL -o tcheck "$root/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err
    point $? "part $2 of $1 of the calls is built"
    for strategy in optimal dfs; do
        teasel test --strategy $strategy --keep-going --runs 1000000 --json $strategy.json --out out-$strategy ./tcheck -- threads \
            >$strategy.txt 2>&1
    done
    "$root/tests/libc/compare" expected.txt "$root/tests/libc/check.c" optimal.json dfs.json >compared.txt
    take_points compared.txt "rows $2"
}

# Calls with inputs in what they read.  The functions by which standard output may come back are left out: with them all that is printed
# may be read again.
lose_inputs() { # lose_inputs STEP PART: of the calls that two threads may make; lose_inputs all
    grep -v -E '^[A-Z_]+\((freopen|dup2|dup3)' "$root/tests/libc/calls.def" >inputs.def
    if [ "$1" = all ]; then
        "$root/tests/libc/generate" inputs.def >calls.h
    else
        "$root/tests/libc/generate" inputs.def "$1" "$2" >calls.h
    fi
    # shellcheck disable=SC2086
    ${CC:-cc} $flags -o reads "$root/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err &&
        teasel-cc $flags -DTEASEL -o tinputs "$root/tests/libc/check.c" "$rows/table.c" "$rows/ranges.c" -lm >out 2>err
    point $? "the calls with inputs are built"
    "$root/tests/libc/inputs" ./reads ./tinputs >inputs.txt 2>&1
    take_points inputs.txt inputs
}
