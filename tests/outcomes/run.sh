#!/bin/sh
# Small programs and every way they can end: signals, timers, jumps and attributes.  Prints TAP.
# cpu: 40
exec "$(dirname "$0")/run"
