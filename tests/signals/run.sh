#!/bin/sh
# Random programs whose threads send each other a signal: optimal against dfs and random.  Prints TAP.
# cpu: 10
exec "$(dirname "$0")/generate" --programs 12
