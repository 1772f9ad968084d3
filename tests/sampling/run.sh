#!/bin/sh
# Samplers: what `teasel report --sampling` says of them, how often they find a bug whose probability is known, and
# whether they count partial orders right.  Prints TAP.  The programs of this folder that have expectations in their
# heads are run by tests/e2e/run; bench/sampling.py measures how soon samplers find the bugs of those.
# cpu: 15

# shellcheck disable=SC2016 # dollars in quotes are sed's
. "$(dirname "$0")/../lib.sh"
cp "$here/one.c" "$here/two.c" "$here/many.c" "$here/check.py" . || exit 2

row() { # row FILE LABEL: the numbers behind it
    sed -n "s/^ *$2  *//p" "$1" | sed 's/  */ /g'
}

# ---- one order
teasel test one.c --strategy random --runs 500 -o one >log 2>&1
holds "a report" teasel report --sampling one.svg -o one
cp log one.txt
same "one order, however it is interleaved" "500 1 100.0 % 1 1.000 0 0.000 %" \
    "$(for label in runs 'partial orders' 'share of the most frequent one' \
        'that make half of the runs' 'evenness, 1 is uniform' 'seen once' \
        'the next run shows a new one'; do row one.txt "$label"; done | tr '\n' ' ' | sed 's/ $//')"

# ---- two orders of known probability
teasel test two.c --strategy random --runs 20000 -o two --json two.json >log 2>&1
teasel report --sampling two.svg -o two >two.txt 2>log
same "two orders" "20000 2 1" "$(row two.txt runs) $(row two.txt 'partial orders') $(row two.txt \
    'that make half of the runs')"
holds "as often as they should be" python3 check.py share two/two.sampling 11 16
holds "and so it is said" python3 check.py figures two/two.sampling two.txt
cp two/two.sampling first.sampling
teasel test two.c --strategy random --runs 20000 -o two >log 2>&1
holds "the same seed, the same file" cmp first.sampling two/two.sampling
teasel test two.c --strategy random --runs 20000 --seed 2 -o two >log 2>&1
holds "another seed, the same distribution" python3 check.py share two/two.sampling 11 16
teasel test two.c --strategy random --runs 300 -o short >log 2>&1
teasel test two.c --strategy random --runs 300 --fork -o forked >log 2>&1
holds "a process per run" cmp short/two.sampling forked/two.sampling

# ---- every sampler
for sampler in $(samplers); do
    teasel test many.c --strategy "$sampler" --runs 2000 -o "$sampler" --json many.json >log 2>&1
    teasel report --sampling many.svg -o "$sampler" >many.txt 2>log
    same "$sampler: as many orders as teasel test says" "$sampler $(field many.json 'j["traces"]')" \
        "$(sed -n 's/^many  *//p' many.txt) $(row many.txt 'partial orders')"
    holds "$sampler: figures" python3 check.py figures "$sampler/many.sampling" many.txt
    holds "$sampler: picture" python3 check.py svg many.svg 1
    holds "$sampler: curve" python3 check.py curve "$sampler/many.sampling" \
        "$(field many.json 'j["sampling"]["successions"]')" "$(field many.json 'j["sampling"]["reads_from"]')"
done
teasel test many.c --runs 3000 -o all --json all.json >log 2>&1
teasel report --sampling all.svg -o all >all.txt 2>log
same "the portfolio has all of them" "$(samplers)" \
    "$(sed -n 's/^many  *//p' all.txt | sed 's/  */ /g')"
holds "and a picture with a row for each" python3 check.py svg all.svg "$(samplers | wc -w)"
holds "figures" python3 check.py figures all/many.sampling all.txt
holds "every sample but the undisturbed one and mutated ones is theirs" python3 check.py runs all/many.sampling \
    "$(field all.json 'j["sampling"]["runs"] - 1 - j["sampling"]["mutated"]')"

# ---- several programs
cp two/two.sampling all/
holds "several programs" teasel report --sampling several.svg -o all
cp log several.txt
same "one after the other" "many two" "$(grep -e '^[a-z]' several.txt | cut -d' ' -f1 | tr '\n' ' ' |
    sed 's/ $//')"
holds "in one picture" python3 check.py svg several.svg 6
teasel report --sampling named.svg -o all ./two >named.txt 2>log
same "or those that are named" two "$(grep -e '^[a-z]' named.txt | cut -d' ' -f1)"
teasel report --sampling - -o all two >dash.svg 2>log
holds "- is standard output, and the picture only" cmp named.svg dash.svg
teasel report --sampling both.svg --coverage both.info -o all many >log 2>&1
holds "with coverage" test -s both.svg -a -s both.info
name='a<b>&"c'
cp two/two.sampling "all/$name.sampling"
teasel report --sampling odd.svg -o all "$name" >log 2>&1
holds "a name that is no XML" python3 check.py svg odd.svg 1

# ---- nothing there
refuse "nothing to report" "teasel report --sampling FILE" teasel report
refuse "nothing was tested" "run .teasel test" teasel report --sampling x.svg -o nowhere
mkdir empty
refuse "nothing was kept" "run .teasel test" teasel report --sampling x.svg -o empty
refuse "nothing of that program" "run .teasel test other" teasel report --sampling x.svg -o two other
refuse "no folder" "two.c" teasel report --sampling x.svg -o two.c
refuse "can't be written" "/dev/full" teasel report --sampling /dev/full -o two
refuse "standard output can't be written" "standard output" \
    sh -c 'teasel report --sampling z.svg -o two >/dev/full'
teasel test two.c --strategy optimal -o searched >log 2>&1
refuse "nothing was sampled" "sampled nothing" teasel report --sampling x.svg -o searched
cp two/two.sampling searched/other.sampling
holds "but of others it was" teasel report --sampling y.svg -o searched
refuse "who was not is named" "on two sampled nothing" teasel report --sampling x.svg -o searched two other

# ---- damaged
damage() { # damage NAME SED-SCRIPT
    sed "$2" first.sampling >empty/two.sampling
    refuse "damaged: $1" "empty/two.sampling" teasel report --sampling x.svg -o empty
}
damage "the end is cut off" '$d'
damage "a sampler is cut off" '2,$d'
damage "an order is missing" '/^SEEN/{N;s/.*\n//}'
damage "a number is no number" 's/^KNOWN:2,/KNOWN:two,/'
damage "a number is too large" 's/^RUNS:.*/RUNS:99999999999999999999/'
damage "a number too few" 's/^\(KNOWN:2,.*\),.*/\1/'
damage "a number too many" 's/^SEEN:.*/&,1/'
damage "none of an order" '0,/^SEEN:1,/s//SEEN:0,/'
damage "the wrong order" 's/^SEEN:1,\(.*\)/SEEN:\1,\1/'
damage "a curve that falls" 's/^KNOWN:5,2/KNOWN:5,1/'
damage "a curve that stands" 's/^KNOWN:5,/KNOWN:4,/'
damage "a curve that ends too early" 's/^KNOWN:20000,.*//'
damage "no curve" '/^KNOWN/d'
damage "no runs" '/^RUNS/d'
damage "runs twice" '/^RUNS/p'
damage "a name that is none" 's/^SAMPLER:.*/SAMPLER:<b>/'
damage "junk" '5s/.*/junk/'
damage "of another version" '1s/ 1,/ 2,/'
damage "not a sampling file" 1d
{
    sed '1s/: 1/: 2/' first.sampling
    sed 1d first.sampling
} >empty/two.sampling
refuse "damaged: a sampler twice" "empty/two.sampling" teasel report --sampling x.svg -o empty
cp two/two.coverage empty/two.sampling
refuse "damaged: another file" "empty/two.sampling" teasel report --sampling x.svg -o empty
: >empty/two.sampling
refuse "damaged: empty" "empty/two.sampling" teasel report --sampling x.svg -o empty
head -c 4096 /dev/urandom >empty/two.sampling
refuse "damaged: noise" "empty/two.sampling" teasel report --sampling x.svg -o empty
rm empty/two.sampling && mkdir empty/two.sampling
refuse "a folder instead" "empty/two.sampling" teasel report --sampling x.svg -o empty
holds "nothing was written for any of them" test ! -e x.svg

status=0
teasel test two.c --strategy random --runs 100 -o two >log 2>&1
mkdir -p blocked/two.sampling
teasel test two/two --strategy random --runs 100 -o blocked >log 2>&1 || status=$?
same "a file that can't be written is said and no failure" "0 1" \
    "$status $(grep -c 'is kept for teasel report' log)"

# ---- Fig. 1 of the RAPOS paper as a C program
# It fails as often as is computed from the definitions, for the steps that it has (a thread's start and end are steps, too).
runs=100000
teasel-cc -g -O1 "$here/figure_1.c" -o figure_1 || exit 2
for how in "random points" "random all" "rapos points" "rapos all"; do
    sampler=${how% *} where=${how#* }
    exact=$("$root/${BUILD:-build}/tests/oracle/test_oracle_samplers" --exact "$sampler")
    teasel test ./figure_1 --strategy "$sampler" --preempt "$where" --runs $runs --keep-going --json figure.json >out 2>&1
    python3 check.py fails figure.json "$exact" $runs >log 2>&1
    point $? "$sampler, $where: $(tail -n 1 log)"
done

# ---- the benchmark programs: no bug where there is none, no more partial orders than there are
"$root/bench/sampling.py" --quick >quick
take_points quick

echo "1..$count"
