// What stands in @file?
//
// GNU rules: words are separated by blanks, quotes group, a backslash takes the
// next character as it is, files may name files.  A file that can't be read
// leaves the word as it was, and clang will say so.
#ifndef TSL_CC_RESPFILE_H
#define TSL_CC_RESPFILE_H

#include <stdbool.h>

#include "base/err.h"
#include "cc/args.h"

// Appends `word`, or the words of the file it names.
bool tsl_respfile_expand(tsl_cc_words *out, const char *word, int depth, tsl_err *err);

#endif
