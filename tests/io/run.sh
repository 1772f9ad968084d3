#!/bin/sh
# Descriptors, programs that do not repeat, and findings that are on disk at once.  Prints TAP.
#
#     tests/io/run.sh
# cpu: 35
. "$(dirname "$0")/../lib.sh"

# Random programs against dfs.
"$root/tests/io/generate" --programs "${TEASEL_IO_PROGRAMS:-20}" >out 2>&1
point $? "random programs over pipes, sockets, files, time and raw system calls: $(grep '^# [0-9]* programs' out)"
"$root/tests/io/generate" --more --programs "$((${TEASEL_IO_PROGRAMS:-20} / 2))" >out 2>&1
point $? "random programs over several descriptors at once, datagrams, copies, full pipes, children: $(grep '^# [0-9]* programs' out)"
"$root/tests/io/generate" --rest --programs "$((${TEASEL_IO_PROGRAMS:-20} / 5))" >out 2>&1
point $? "random programs over raw calls on files, listening sockets, names of files, named pipes, timers: $(grep '^# [0-9]* programs' out)"
"$root/tests/io/generate" --waits --programs "$((${TEASEL_IO_PROGRAMS:-20} / 10))" >out 2>&1
point $? "random programs over streams, semaphores of System V and queues of POSIX: $(grep '^# [0-9]* programs' out)"

# A program that hears something else from the kernel in every run takes another way in every run.
cat >unrepeatable.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int x, y;
static int is_odd(void) {
    char c = 0;
    int fd = open("/proc/sys/kernel/random/uuid", O_RDONLY);
    read(fd, &c, 1);
    close(fd);
    return c & 1;
}
static void *thread(void *arg) {
    if (is_odd())
        x++;
    y++;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
teasel-cc -w -g -o unrepeatable unrepeatable.c || exit 2
for strategy in portfolio optimal source dpor raceflip dfs paths random pct surw; do
    timeout 60 teasel test -n 300 -t 10 --strategy $strategy --json json ./unrepeatable >out 2>&1
    code=$?
    python3 -c '
import json, sys
result = json.load(open("json"))
sys.exit(int(sys.argv[1]) not in (0, 1, 3) or (result.get("extent") or result["verdict"]) == "complete")' $code
    point $? "a program that does not repeat, $strategy: no abort, not complete"
done

# A finding is there although the tool is killed while it searches on.
cat >finding.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x;
static void *thread(void *arg) {
    for (int i = 0; i < 50; i++)
        x++;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 100);
    return 0;
}
C
teasel-cc -w -g -o finding finding.c || exit 2
teasel test -k -t 60 --strategy random -o found ./finding >out 2>&1 &
pid=$!
tries=0
while [ ! -s found/finding-1.replay ] && [ $tries -lt 200 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -0 $pid && kill -9 $pid
killed=$?
wait $pid 2>/dev/null
teasel replay found/finding-1.replay >out 2>&1
replayed=$?
point $((killed != 0 || replayed != 1)) "the replay of a finding is on disk while the search goes on"
echo "1..$count"
