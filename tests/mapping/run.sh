#!/bin/sh
# Memory that changes without a store, or has two addresses: explored, or the verdict is weaker.  Prints TAP.
# cpu: 22
. "$(dirname "$0")/../lib.sh"

campaign() { # campaign STRATEGY WAY HOW
    teasel test --strategy "$1" --keep-going -t 60 --json r.json --out kept ./ways -- "$2" "$3" >out 2>err
}

cp "$root/tests/mapping/ways.c" .
${CC:-cc} -w -o native ways.c && teasel-cc -g -w -o ways ways.c >out 2>err
point $? "a program with all ways to change memory is built"
./native >list
while read -r way found; do
    for strategy in optimal dfs; do
        campaign $strategy "$way" beside
        case $found in
        weaker)
            json 'r["verdict"] != "complete" and "uncontrolled" in r["reasons"] and "race" not in kinds'
            point $? "$strategy: two ways to the same bytes weaken the claim ($way)"
            ;;
        *)
            json "kinds == {'$found'} and r['extent'].startswith('complete')"
            point $? "$strategy: a change beside accesses is explored, and nothing else is found ($way)"
            ;;
        esac
    done
    [ "$found" = weaker ] && continue
    campaign optimal "$way" ordered
    json 'r["verdict"].startswith("complete") and set(r["reasons"]) <= {"outside", "uncontrolled"} and not r["bugs"] and r["traces"] == 1'
    point $? "behind them it is not ($way)"
done <list
teasel selfcheck --plans 30 ./ways -- munmap beside >out 2>err
point $? "a run that crashes at a store is repeated from its schedule"

echo "1..$count"
