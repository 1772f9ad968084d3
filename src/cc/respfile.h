// What does @file on the command line stand for?
//
// The rules are GNU's: words are separated by blanks, quotes group, a backslash takes the next
// character literally, files may name files.  If the file can't be read, the word stays as it is
// and clang reports it.
#ifndef TSL_CC_RESPFILE_H
#define TSL_CC_RESPFILE_H

#include "cc/args.h"

// Appends `word`, or the words of the file it names.
bool tsl_respfile_expand(tsl_cc_words *out, const char *word, int depth, tsl_err *err);

#endif
