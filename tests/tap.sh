# shellcheck shell=sh
# Read by the shell suites: points of TAP, and what the commands had to say if one fails.  $said names the files
# that hold it.
count=0
said=${said:-out err}
point() { # point STATUS NAME
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        # shellcheck disable=SC2086 # several files
        sed 's/^/#   /' $said 2>/dev/null | head -n 40
    fi
}

# For suites with said=log.
same() { # same NAME WANTED GOT
    echo "got '$3', expected '$2'" >log
    [ "$2" = "$3" ]
    point $? "$1"
}
refuse() { # refuse NAME WORDS command...: exit code 2 and one line that has the words
    name=$1
    words=$2
    shift 2
    status=0
    "$@" >out 2>log </dev/null || status=$?
    [ "$status" -eq 2 ] && [ "$(wc -l <log)" -eq 1 ] && grep -q -e "$words" log
    point $? "$name"
}

# The names of all samplers, in their order.
samplers() {
    sed -n 's/^TSL_SAMPLER([A-Z0-9_]*, *\([a-z0-9_]*\),.*/\1/p' "$root/src/abi/samplers.def" | xargs
}
