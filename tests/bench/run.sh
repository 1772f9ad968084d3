#!/bin/sh
# optimal runs exactly as many schedules of the benchmark programs as there are partial orders.
# cpu: 6
exec "$(dirname "$0")/../../bench/strategies" --quick
