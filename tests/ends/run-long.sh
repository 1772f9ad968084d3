#!/bin/sh
# As run.sh, with more threads and more searches.  Prints TAP.
exec python3 "$(dirname "$0")/ends.py" --long
