// The command line of an oracle; see suite.h.
#include "oracle/suite.h"

#include <stdio.h>
#include <stdlib.h>

void tsl_suite_options(const tsl_opt *opts, int argc, char **argv) {
    tsl_words words = {0};
    tsl_err err = {0};
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &words, NULL, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(2);
    }
    tsl_vec_drop(&words);
}
