#!/bin/sh
# All of the random programs over descriptors.  Prints TAP.
# cpu: 3600
"$(dirname "$0")/generate" --programs 2000 --seed 1000 && "$(dirname "$0")/generate" --more --programs 1000 --seed 1000 &&
    "$(dirname "$0")/generate" --rest --programs 500 --seed 1000 &&
    exec "$(dirname "$0")/generate" --waits --programs 500 --seed 1000
