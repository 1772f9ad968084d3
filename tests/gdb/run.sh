#!/bin/sh
# A bug in the debugger: gdb stops at it, and shows every thread of the program.  TAP.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cp "$root/examples/deadlock.c" . || exit 2
"$root/bin/teasel" test deadlock.c --runs 2000 -q >found 2>&1
printf '%s\n' teasel-threads 'teasel-thread 2' bt teasel-back 'info locals' quit |
    "$root/bin/teasel" replay --gdb teasel-out/deadlock-1.replay >said 2>&1

number=0
says() { # name, what gdb must have said
    number=$((number + 1))
    if grep -q "$2" said; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' said | tail -40
    fi
}

echo "1..6"
says "stops at the bug" "Breakpoint 1, teasel_bug"
says "in the line the user wrote" "pthread_mutex_lock(&to->lock)"
says "names the running thread" "^[(gdb) ]*\* T[12] runs\|\* T[12] runs"
says "and those that wait" "T0 stands before join"
says "goes to another thread" "to_alice"
says "and back" "transfer"
