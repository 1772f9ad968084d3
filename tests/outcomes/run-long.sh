#!/bin/sh
# The same by source and dfs, too.  Prints TAP.
# cpu: 250
exec "$(dirname "$0")/run" --long
