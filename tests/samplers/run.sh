#!/bin/sh
# Samplers on the benchmark programs: no bug where there is none, no more partial orders than there are.
# cpu: 10
exec "$(dirname "$0")/../../bench/sampling.py" --quick
