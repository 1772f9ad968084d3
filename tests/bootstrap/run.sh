#!/bin/sh
# Every command that a script calls comes with a package that bootstrap.sh installs.  Prints TAP; see ./check.
# cpu: 1
exec "$(dirname "$0")/check"
