// Where are the files teasel-cc needs?
//
// They lie beside the executable, in a checkout as in an installation:
//
//     bin/teasel-cc
//     lib/teasel/hooks-<arch>.bc      fast paths, see fastpath.h
//     lib/teasel/libteasel-<arch>.a   the runtime
//     include/teasel.h
#ifndef TSL_CC_SUPPORT_H
#define TSL_CC_SUPPORT_H

#include "base/err.h"

typedef struct tsl_support {
    char *self;    // this executable
    char *clang;   // looked up in PATH
    char *include; // folder of teasel.h
    char *others;  // folder of the headers of other tools
    char *hooks, *runtime;
} tsl_support;

// `target` is a triple, or NULL for this machine.
bool tsl_support_find(tsl_support *s, const char *target, tsl_err *err);
void tsl_support_drop(tsl_support *s);

#endif
