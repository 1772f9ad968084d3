#!/bin/sh
# Every synchronisation primitive on an object that may have been freed, and on one that is as it should be.
exec "$(dirname "$0")/run" --cases freed,fine
