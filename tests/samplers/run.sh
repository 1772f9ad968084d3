#!/bin/sh
# Samplers on the benchmark programs: no bug where there is none, no more partial orders than there are.
exec "$(dirname "$0")/../../bench/sampling.py" --quick
