#!/bin/sh
# The programs of this folder on aarch64, cross-built and run under qemu-user.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
if [ ! -e lib/teasel/libteasel-aarch64.a ]; then
    echo "1..1"
    echo "not ok 1 - lib/teasel/libteasel-aarch64.a was not built (is gcc-aarch64-linux-gnu there?)"
    exit 1
fi
exec tests/e2e/run -j "${JOBS:-2}" -v --only random --runs 20 \
    --cflags="--target=aarch64-linux-gnu" \
    --via "qemu-aarch64 -L /usr/aarch64-linux-gnu" \
    tests/e2e/surface tests/e2e/bugs examples
