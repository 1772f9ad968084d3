#!/bin/sh
# A bug in the debugger: gdb stops at it, and shows every thread of the program.  TAP.
. "$(dirname "$0")/../lib.sh"
cp "$root/examples/deadlock.c" . || exit 2
teasel test deadlock.c --runs 2000 -q >found 2>&1
printf '%s\n' teasel-threads 'teasel-thread 2' bt teasel-back 'info locals' quit |
    teasel replay --gdb teasel-out/deadlock-1.replay >out 2>&1

holds "stops at the bug" grep -q "Breakpoint 1, teasel_bug" out
holds "in the line the user wrote" grep -q "pthread_mutex_lock(&to->lock)" out
holds "names the running thread" grep -q "^[(gdb) ]*\* T[12] runs\|\* T[12] runs" out
holds "and those that wait" grep -q "T0 stands before join" out
holds "goes to another thread" grep -q "to_alice" out
holds "and back" grep -q "transfer" out

echo "1..$count"
