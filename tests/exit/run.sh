#!/bin/sh
# Handlers of exit and destructors wait for other threads, by every way out of the process.  Prints TAP.
# cpu: 6
. "$(dirname "$0")/../lib.sh"

teasel-cc -g -o way "$root/tests/exit/way.c" >out 2>err
point $? "the program is built"

# traces STRATEGY: of a search that ended and found nothing.
traces() {
    teasel test --strategy "$1" --runs 20000 --json "$1.json" --out kept ./way -- "$way" "$wait" >out 2>err &&
        python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["verdict"] == "complete" and not r["bugs"], r["verdict"]
print(r["traces"])' "$1.json" 2>err
}

for way in return exit on_exit quick_exit destructor thread pthread_exit; do
    for wait in nothing join semaphore condition poll spin; do
        all=$(traces source)
        few=$(traces optimal)
        [ -n "$all" ] && [ "$all" = "$few" ]
        point $? "$way, waiting for $wait: $few partial orders, no bug"
    done
done

echo "1..$count"
