// How does an oracle read its command line?
#ifndef TSL_ORACLE_SUITE_H
#define TSL_ORACLE_SUITE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/opt.h"

// If the options make no sense, the process ends with a line of TAP that says why.
static inline void tsl_suite_options(const tsl_opt *opts, int argc, char **argv) {
    tsl_words words = {0};
    tsl_err err = {0};
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &words, NULL, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(2);
    }
    tsl_vec_drop(&words);
}

#endif
