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
