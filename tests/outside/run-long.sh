#!/bin/sh
# Every outside source of the table, and every call of libc's table.  Prints TAP.
# cpu: 240
folder=$(dirname "$0")
# shellcheck disable=SC2046 # names have no blanks
"$folder/run.sh" $(sed -n 's/^SOURCE(\([a-z0-9_]*\),.*/\1/p' "$folder/sources.def") || exit
exec "$folder/calls"
