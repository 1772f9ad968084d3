#!/bin/sh
# Many more of them.  Prints TAP.
# cpu: 300
exec "$(dirname "$0")/generate" --programs 600 --seed 10000
