#!/bin/sh
# Every rule of the runtime that can be broken (src/rt/sabotage.h) is broken once: the test that stands behind it
# there must fail, and must pass with nothing broken.
#
#     run.sh              all rules; prints TAP
#     run.sh RULE ...     only these, and what the tests say
#
# There is one runtime for all rules.  It lies in a tree of its own, with copies of the tool and of the tests that look
# for the tool there; TSLRT_BREAK holds the number of the broken rule.
# cpu: 30
. "$(dirname "$0")/../lib.sh"
tree=$work
said=$work/said
mkdir -p "$tree/bin" "$tree/lib/teasel" "$tree/tests"
cp "$root/bin/teasel" "$root/bin/teasel-cc" "$tree/bin"
cp -r "$root/include" "$tree"
cp -r "$root/tests/objects" "$root/tests/io" "$root/tests/suite.py" "$tree/tests"
"$root/tools/build-runtime" "$(uname -m)" "$tree/lib/teasel" -DTSLRT_SABOTAGE >"$said" 2>&1 || {
    sed 's/^/# /' "$said"
    echo "Bail out! the runtime does not compile"
    exit 2
}

# check TEST: what must fail with the broken rule
check() {
    case $1 in
    io/*) timeout 100 "$tree/tests/io/generate" --jobs 1 --only "$(echo "${1#*/}" | tr - ' ')" ;;
    objects/*) timeout 100 "$tree/tests/objects/run" --cases freed "${1#*/}" ;;
    *) timeout 100 "$root/tests/e2e/run" -j1 --both --plans 20 --teasel "$tree/bin/teasel" --teasel-cc "$tree/bin/teasel-cc" \
        "$root/tests/e2e/$1.c" ;;
    esac
}

sed -n 's,^ *TSLRT_BREAK_\([A-Z_]*\)\,.*; \([a-z_/-]*\)$,\1 \2,p' "$root/src/rt/sabotage.h" | awk '{ print NR, $0 }' >"$tree/rules"
while read -r number rule test; do
    case " ${*:-$rule} " in
    *" $rule "*) ;;
    *) continue ;;
    esac
    TSLRT_BREAK=0 check "$test" >"$said" 2>&1
    point $? "nothing is broken: $test passes"
    TSLRT_BREAK=$number check "$test" >"$said" 2>&1
    status=$?
    grep -q '^not ok' "$said" && [ $status -eq 1 ]
    point $? "$rule is broken: $test fails"
    [ $# -gt 0 ] && grep -A3 '^not ok' "$said" | sed 's/^/# /'
done <"$tree/rules"
echo "1..$count"
