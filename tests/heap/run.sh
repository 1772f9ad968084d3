#!/bin/sh
# Random programs that use freed blocks: reducing searches against dfs.  Prints TAP.
# cpu: 12
exec "$(dirname "$0")/generate" --programs 24
