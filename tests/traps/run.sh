#!/bin/sh
# What traps in a program as people build it (clang -O0) traps in the instrumented one too, used or not.
exec python3 "$(dirname "$0")/table.py"
