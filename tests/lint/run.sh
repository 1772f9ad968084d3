#!/bin/sh
# The checks of `make lint` that are this project's own notice what they are there for.  Prints TAP.
# cpu: 4
# shellcheck disable=SC2016 # backquotes of Markdown
. "$(dirname "$0")/../lib.sh"
mkdir tree && cp -r "$root/src" "$root/CONTRIBUTING.md" tree || exit 2
PATH=$root/tools:$PATH

notices() { # notices CHECK NAME FILE LINE WORDS: with the line at the end of the file, the check says these words
    cp "tree/$3" kept
    echo "$4" >>"tree/$3"
    says 1 "$1: $2" "$5" "$1" tree
    mv kept "tree/$3"
}

expect 0 "check-layers: the tree is as CONTRIBUTING.md says" check-layers tree
notices check-layers "a room that is not in the row" src/model/run.c '#include "explore/plan.h"' 'run.c:[0-9]*: model may not include explore/plan.h'
notices check-layers "by a relative path, from a folder of a room" src/rt/sync/objects.h '#include "../../base/vec.h"' 'rt may not include'
notices check-layers "a header of one room" src/report/text.c '#include <llvm-c/Core.h>' 'belongs to src/cc/'
notices check-layers "a header of one file" src/solve/solver.h '#include <z3.h>' 'belongs to src/solve/z3.c'
notices check-layers "events that are read outside of model" src/explore/dfs.c 'return run->trace.events[0].kind;' 'explore reads events'
notices check-layers "an include that another one implies" src/explore/dfs.c '#include "model/step.h"' 'includes step.h already'
notices check-layers "a row without a folder" CONTRIBUTING.md '| `attic` | old things | base | |' 'there is no src/attic'
sed -i '/^| `trace` /d' tree/CONTRIBUTING.md
says 1 "check-layers: a folder without a row" 'src/trace is not in the table' check-layers tree

notices check-exports "a function that only its file uses" src/base/buf.h 'void tsl_nobody(void);' 'buf.h:[0-9]*: tsl_nobody'
notices check-exports "a variable" src/base/buf.h 'extern int tsl_nothing[2];' 'buf.h:[0-9]*: tsl_nothing'
notices check-exports "a function in the header" src/base/buf.h 'static inline int tsl_unused(void) { return 0; }' 'buf.h:[0-9]*: tsl_unused'

for suite in "$root"/tests/[a-z]*/; do
    suite=$(basename "$suite")
    grep -q "^|.*\`$suite\`.*|.*|" "$root/tests/README.md" || echo "$suite"
done >missing
same "tests/README.md says what each suite guards" "" "$(cat missing)"

echo "1..$count"
