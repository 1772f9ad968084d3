#!/bin/sh
# Many more of them: about a second of CPU time each, most of it for dfs and random.  Prints TAP.
# cpu: 300
exec "$(dirname "$0")/generate" --programs 250 --seed 1000 --runs 15000
