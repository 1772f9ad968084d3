#!/bin/sh
# Random threads that end the process in many ways: all searches find the same ends.  Prints TAP.
# cpu: 5
exec python3 "$(dirname "$0")/mix.py" "$@"
