// In which order does a command line become an object or a program?
//
//     source --clang front end--> bitcode --instrument--> bitcode --clang back end--> object
//     objects + runtime --clang as linker--> program
//
// clang runs as a child process at both ends, so its flags and errors are what they always are.
#ifndef TSL_CC_PIPELINE_H
#define TSL_CC_PIPELINE_H

#include "base/buf.h"
#include "cc/args.h"
#include "cc/support.h"

// Returns true if every stage could be run; *status is then clang's exit status (the first that is
// not 0).  The output of --print-command and --dump-after is added to `out`.
bool tsl_pipeline_run(const tsl_cc_args *args, const tsl_support *support, tsl_buf *out,
                      int *status, tsl_err *err);

#endif
