#!/bin/sh
# Every synchronisation primitive on every kind of memory.
exec "$(dirname "$0")/run"
