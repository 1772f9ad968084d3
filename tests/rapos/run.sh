#!/bin/sh
# The RAPOS paper's example as a C program: it fails as often as is computed from the definitions, for
# the steps that it has (a thread's start and end are steps, too).
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
PATH=$root/bin:$PATH
runs=100000 n=0

teasel-cc -g -O1 "$root/tests/rapos/figure_1.c" -o figure_1 || { echo "Bail out! it does not compile"; exit 2; }
for how in "random points" "random all" "rapos points" "rapos all"; do
    sampler=${how% *} where=${how#* }
    n=$((n + 1))
    exact=$("$root/${BUILD:-build}/tests/oracle/test_oracle_samplers" --exact "$sampler")
    teasel test ./figure_1 --strategy "$sampler" --preempt "$where" --runs $runs --keep-going --json out.json >out 2>&1
    # Five standard deviations.
    if python3 - "$exact" $runs >off <<'P'
import json, math, sys
exact, runs = float(sys.argv[1]), int(sys.argv[2])
told = json.load(open("out.json"))
seen = told["outcomes"]["assertion"] / told["executions"]
sigma = math.sqrt(exact * (1 - exact) / runs)
print(f"{seen:.5f}, computed {exact:.5f}, off by {abs(seen - exact) / sigma:.1f} standard deviations")
sys.exit(told["executions"] != runs or abs(seen - exact) > 5 * sigma)
P
    then
        echo "ok $n - $sampler, $where: $(cat off)"
    else
        echo "not ok $n - $sampler, $where: $(cat off)"
        sed 's/^/# /' out
    fi
done
echo "1..$n"
