#!/bin/sh
# Files that the tool writes never follow a link and are never half written.  Prints TAP; see ./check.
# cpu: 15
exec "$(dirname "$0")/check"
