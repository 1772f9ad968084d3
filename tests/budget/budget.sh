# shellcheck shell=bash
# Shared by run.sh and run-long.sh: programs that are long, endless, wide, greedy or stopped end in
# time, by themselves and when they are asked to.
. "$(dirname "$0")/../lib.sh"
programs=$here/programs

build() { # build NAME
    teasel-cc -O1 -g -I"$root/include" -o "$1" "$programs/$1.c" -lpthread 2>"$1.build"
}

now() { date +%s%N; }

late() { # late SINCE MOST: are there more than MOST milliseconds since then?  They are in $taken
    taken=$((($(now) - $1) / 1000000))
    [ "$taken" -gt "$2" ]
}

# The whole report, whatever it says; a program that can't be started has none.
is_report() { # is_report CODE NAME
    if [ "$2" = slow_start ]; then
        [ "$1" = 2 ] || { [ "$1" = 3 ] && grep -q 'stopped by a signal before slow_start reached main' "$2.out"; }
    else
        { [ "$1" -le 1 ] || [ "$1" = 3 ]; } && grep -q '^  [0-9]* bugs\?' "$2.out"
    fi
}

# No process of the program goes on; large ones take a moment to die.
nobody_is_left() { # nobody_is_left NAME
    local tries left
    for tries in 1 2 3 4 5 6 7 8 9 10; do
        left=$(find /proc -maxdepth 2 -name exe -lname "$work/$1" 2>/dev/null)
        [ -z "$left" ] && return 0
        sleep 0.2
    done
    echo "left behind: $left" >>log
    return 1
}

# A loaded machine may be late once.
ends_by_itself() { # ends_by_itself NAME SECONDS MOST-MILLISECONDS [OPTION]...
    local begun code tries
    for tries in 1 2 3; do
        begun=$(now)
        timeout -s KILL 60 teasel test -t "$2" -o out "${@:4}" "$1" >"$1.out" 2>&1 </dev/null
        code=$?
        late "$begun" "$3" || break
    done
    { echo "exit code $code after $taken ms, try $tries"; tail -5 "$1.out"; } >log
    [ "$taken" -le "$3" ] && is_report "$code" "$1" && nobody_is_left "$1"
    point $? "$1: -t $2 ${*:4} ends in time ($taken ms)"
}

ends_when_told() { # ends_when_told NAME SIGNAL MOST-MILLISECONDS
    local begun code tries pid
    for tries in 1 2 3; do
        timeout -s KILL 30 teasel test -t 50 -o out "$1" >"$1.out" 2>&1 </dev/null &
        pid=$!
        sleep 0.7
        begun=$(now)
        kill -"$2" "$pid" 2>/dev/null
        wait "$pid"
        code=$?
        late "$begun" "$3" || break
    done
    { echo "exit code $code after $taken ms, try $tries"; tail -5 "$1.out"; } >log
    [ "$taken" -le "$3" ] && is_report "$code" "$1" && nobody_is_left "$1"
    point $? "$1: $2 ends it in time ($taken ms)"
}
