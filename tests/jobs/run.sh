#!/bin/sh
# `teasel test -j N` finds what one worker finds.  Prints TAP.
#
#     tests/jobs/run.sh
# cpu: 18
# unbound
. "$(dirname "$0")/../lib.sh"

said="why out err"

# A search that ends and a sampler are the same campaign, run for run.  What a portfolio does next
# may depend on who is waited for, so of one that is cut only what it found is compared.
cat >compare.py <<'P'
import json, sys
one, many = (json.load(open(f"{name}.json")) for name in ("one", "many"))
exact = one["strategy"] != "portfolio" or one["verdict"] == "complete"
names = ["verdict", "bugs", "coverage", "outcomes", "executions", "traces", "interleavings", "paths",
         "sampling", "census", "mode"] if exact else ["verdict"]
def where(bugs):
    return sorted((b["kind"], b["file"] or "", b["line"] or 0) for b in bugs)
wrong = [n for n in names if n in one and n != "bugs" and one[n] != many[n]]
if where(one["bugs"]) != where(many["bugs"]):
    wrong.append("bugs")
if one["workers"] != 1 or many["workers"] != int(sys.argv[1]):
    wrong.append("workers")
for n in wrong:
    print(n, one[n], many[n])
sys.exit(bool(wrong))
P
compare() { # compare PROGRAM STRATEGY [OPTIONS...]
    program=$1
    strategy=$2
    shift 2
    rm -f one.json many.json
    teasel test "./$program" --strategy "$strategy" --keep-going --runs 1000 --json one.json "$@" >out 2>err
    one=$?
    teasel test "./$program" --strategy "$strategy" --keep-going --runs 1000 --json many.json -j 3 "$@" >out 2>err
    many=$?
    : >why
    if [ $one -ne $many ] || [ $one -eq 2 ]; then
        echo "exit status $one, $many" >why
    else
        python3 compare.py 3 >why 2>&1
    fi
    test ! -s why
    point $? "$program, $strategy"
}

for source in examples/double_checked examples/use_after_free examples/philosophers examples/misuse \
    tests/e2e/lockfree/treiber_stack tests/e2e/spin/ticket_lock bench/programs/readers; do
    program=$(basename $source)
    teasel-cc -g -DN=4 "$root/$source.c" -o "$program" 2>err
    for strategy in optimal portfolio $(samplers); do
        compare "$program" "$strategy"
    done
done

# Inputs: each worker has its own log of what it has covered.
cat >digits.c <<'C'
#include <pthread.h>
#include <teasel.h>
static int shared;
static void *add(void *arg) {
    __atomic_fetch_add(&shared, *(unsigned char *)arg > 100 ? 2 : 1, __ATOMIC_SEQ_CST);
    return 0;
}
int main(void) {
    unsigned char in[4];
    pthread_t t[2];
    TEASEL_INPUT(in);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, &in[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    TEASEL_ASSERT(!(shared == 4 && in[2] == 7 && in[3] > in[2]));
    return 0;
}
C
teasel-cc -g -I "$root/include" digits.c -o digits 2>err
for strategy in optimal paths portfolio; do
    compare digits $strategy
done

# A process that dies is started again, and the others go on.
cat >killer.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static int a, b;
static void *first(void *arg) { __atomic_store_n(&a, 1, __ATOMIC_SEQ_CST); return arg; }
static void *second(void *arg) {
    if (__atomic_load_n(&a, __ATOMIC_SEQ_CST))
        __atomic_store_n(&b, 1, __ATOMIC_SEQ_CST);
    return arg;
}
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, first, 0);
    pthread_create(&y, 0, second, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    if (b)
        kill(getpid(), SIGKILL);
    return 0;
}
C
teasel-cc -g killer.c -o killer 2>err
compare killer random
compare killer optimal

# What reaches outside may meet another worker there.
cat >writer.c <<'C'
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    int fd = open("written", O_WRONLY | O_CREAT, 0600);
    return write(fd, "x", 1) == 1 ? 0 : 1;
}
C
teasel-cc -g writer.c -o writer 2>err
teasel test ./writer -j 3 --json writer.json >out 2>err
grep -q "one at a time (not -j 3)" out
point $? "a program that writes files is run by one worker, and that is said"
for bad in 0 65 many; do
    teasel test ./writer -j $bad >out 2>err
    test $? -eq 2
    point $? "-j $bad is refused"
done
echo "1..$count"
