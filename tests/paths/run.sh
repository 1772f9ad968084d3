#!/bin/sh
# The benchmark programs with inputs have exactly as many paths as are counted without the tool.
# cpu: 5
exec "$(dirname "$0")/../../bench/inputs" --quick
