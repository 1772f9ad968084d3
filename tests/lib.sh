# shellcheck shell=sh
# What do the shell suites share?  Each begins with
#
#     . "$(dirname "$0")/../lib.sh"
#
# and is then in $work, an empty folder that is removed at the end.  $root is this checkout, $here the folder
# of the suite, and bin/ is on the PATH.  A suite prints points of TAP with the functions below, and ends with
# `echo "1..$count"`.  What the commands said is shown for points that fail: $said names the files that hold it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=$root/bin:$PATH
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

count=0
said=${said:-log out err}

point() { # point STATUS NAME
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        # shellcheck disable=SC2086 # several files
        sed 's/^/#   /' $said 2>/dev/null | head -n 40
    fi
    return "$1"
}

skip() { # skip NAME WHY
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

holds() { # holds NAME command...: the command succeeds; what it says is in log
    name=$1
    shift
    status=0
    "$@" >log 2>&1 || status=1
    point "$status" "$name"
}

same() { # same NAME WANTED GOT
    echo "got '$3', expected '$2'" >log
    [ "$2" = "$3" ]
    point $? "$1"
}

# For the next three, what the command says is in out and err.
try() { # try CODE command...: does it end with this exit code?
    code=$1
    shift
    status=0
    timeout 120 "$@" >out 2>err </dev/null || status=$?
    echo "exit code $status, expected $code: $*" >log
    [ "$status" -eq "$code" ]
}

expect() { # expect CODE NAME command...: this exit code
    code=$1
    name=$2
    shift 2
    try "$code" "$@"
    point $? "$name"
}

says() { # says CODE NAME WORDS command...: this exit code, and the words among what it says
    code=$1
    name=$2
    words=$3
    shift 3
    try "$code" "$@" && grep -q -e "$words" err out
    point $? "$name"
}

refuse() { # refuse NAME WORDS command...: exit code 2 and one line that has the words
    name=$1
    words=$2
    shift 2
    try 2 "$@" && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$words" err
    point $? "$name"
}

field() { # field FILE EXPRESSION on the JSON value j; c is its coverage
    python3 -c 'import json, sys
j = json.load(open(sys.argv[1]))
c = j.get("coverage")
print(eval(sys.argv[2]))' "$1" "$2"
}

json() { # json EXPRESSION: is it true of r, the JSON value in r.json?  kinds are the kinds of its bugs
    python3 -c 'import json, sys
r = json.load(open("r.json"))
kinds = {b["kind"] for b in r["bugs"]}
sys.exit(not eval(sys.argv[1], globals()))' "$1"
}

take_points() { # take_points FILE [PREFIX]: points of another script that prints TAP, as points of this suite
    sed -n 's/^\(not \)*ok [0-9]* - /\1/p' "$1" >points
    while read -r line; do
        [ "${line#not }" = "$line" ]
        said=$1 point $? "${2:+$2: }${line#not }"
    done <points
}

samplers() { # the names of all samplers, in their order
    sed -n 's/^TSL_SAMPLER([A-Z0-9_]*, *\([a-z0-9_]*\),.*/\1/p' "$root/src/abi/samplers.def" | xargs
}
