#!/bin/sh
# Many more of them, each with as many runs as dfs needs.  Prints TAP.
# cpu: 3000
exec "$(dirname "$0")/generate" --programs 300 --seed 1000 --runs 40000
