// teasel-cc: a C compiler whose programs can be tested.
//
// Reads the command line, runs the stages and prints their output.
#include <stdio.h>

#include "cc/pipeline.h"

#define EXIT_TOOL 2 // teasel-cc itself failed; every other status is clang's

static int fail(const tsl_err *err) {
    fprintf(stderr, "teasel-cc: error: %s\n", err->text);
    return EXIT_TOOL;
}

int main(int argc, char **argv) {
    tsl_err err = {0};
    tsl_cc_args args;
    tsl_support support = {0};
    tsl_buf out = {0};
    int status = 0;
    if (!tsl_cc_args_parse(&args, argc - 1, argv + 1, &err))
        return fail(&err);
    if (args.help) {
        fputs(tsl_cc_help, stdout);
        return 0;
    }
    bool ok = tsl_support_find(&support, args.target, &err) &&
              tsl_pipeline_run(&args, &support, &out, &status, &err);
    fwrite(out.data, 1, out.len, stdout);
    tsl_buf_drop(&out);
    tsl_support_drop(&support);
    return ok ? status : fail(&err);
}
