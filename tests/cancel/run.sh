#!/bin/sh
# Every cancellation point, called by a thread that is cancelled.  Prints TAP.
exec python3 "$(dirname "$0")/points.py" "$@"
