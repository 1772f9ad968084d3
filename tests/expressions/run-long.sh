#!/bin/sh
# 5,000 random functions, ten to a file.
exec "$(dirname "$0")/run.sh" 1000 500 100
