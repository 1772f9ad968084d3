#!/bin/sh
# Every outside source of the table.  Prints TAP.
# cpu: 60
folder=$(dirname "$0")
# shellcheck disable=SC2046 # names have no blanks
exec "$folder/run.sh" $(sed -n 's/^SOURCE(\([a-z0-9_]*\),.*/\1/p' "$folder/sources.def")
