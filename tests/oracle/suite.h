// How does an oracle read its command line?
#ifndef TSL_ORACLE_SUITE_H
#define TSL_ORACLE_SUITE_H

#include "base/opt.h"

// If the options make no sense, the process ends with a line of TAP that says why.
void tsl_suite_options(const tsl_opt *opts, int argc, char **argv);

#endif
