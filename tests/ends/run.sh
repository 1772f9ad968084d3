#!/bin/sh
# Every way a thread can end the process beside others that do, by every strategy.  Prints TAP.
# cpu: 26
exec python3 "$(dirname "$0")/ends.py" "$@"
