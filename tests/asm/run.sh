#!/bin/sh
# Accesses of inline assembly, by constraints, sizes, instructions and clobbers, each in two threads.
exec python3 "$(dirname "$0")/table.py"
