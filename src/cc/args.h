// What does a compiler's command line ask for?
//
// Every word keeps its place and is given the stages that it concerns; unknown flags go to clang
// unchanged.  How the stages are run is decided elsewhere (pipeline.h).
#ifndef TSL_CC_ARGS_H
#define TSL_CC_ARGS_H

#include "base/err.h"
#include "base/vec.h"

enum tsl_cc_stage {
    TSL_CC_FRONT = 1, // source to bitcode
    TSL_CC_BACK = 2,  // bitcode to object or assembly
    TSL_CC_LINK = 4,
    TSL_CC_COMPILE = TSL_CC_FRONT | TSL_CC_BACK,
    TSL_CC_ALL = 7
};

enum tsl_cc_mode {
    TSL_CC_MODE_LINK,
    TSL_CC_MODE_OBJECT,     // -c
    TSL_CC_MODE_ASSEMBLY,   // -S
    TSL_CC_MODE_PREPROCESS, // -E, -M, ...: clang does it, with our macros
    TSL_CC_MODE_STRAIGHT    // --version, -###, ...: clang gets the command line as it is
};

enum tsl_cc_input_kind {
    TSL_CC_INPUT_C,
    TSL_CC_INPUT_IR,      // .bc, .ll
    TSL_CC_INPUT_ASM,     // assembled, not instrumented
    TSL_CC_INPUT_HEADER,  // precompiled by clang
    TSL_CC_INPUT_FOREIGN, // C++ and other languages that are refused
    TSL_CC_INPUT_OBJECT   // anything else goes to the linker
};

typedef struct tsl_cc_input {
    const char *path;
    const char *language; // as given with -x, or NULL
    enum tsl_cc_input_kind kind;
} tsl_cc_input;

typedef struct tsl_cc_arg {
    const char *text;
    const char *value; // the next word, if it belongs to this one
    unsigned stages;   // bits of enum tsl_cc_stage
    int input;         // index into inputs, or -1
} tsl_cc_arg;

enum tsl_cc_dump {
    TSL_CC_DUMP_NONE,
    TSL_CC_DUMP_FRONTEND,
    TSL_CC_DUMP_PROMOTE,
    TSL_CC_DUMP_INSTRUMENT,
    TSL_CC_DUMP_LINK
};

typedef TSL_VEC(const char *) tsl_cc_words;

typedef struct tsl_cc_args {
    enum tsl_cc_mode mode;
    tsl_cc_words words; // the command line with response files read and our own flags taken out
    TSL_VEC(tsl_cc_arg) args;
    TSL_VEC(tsl_cc_input) inputs;

    const char *output;  // -o, or NULL
    const char *opt;     // the last -O flag, or NULL
    const char *target;  // --target, or NULL
    const char *linker;  // -fuse-ld=, or NULL
    const char *refused; // why teasel-cc refuses the command line, or NULL
    bool is_shared, is_relocatable, no_runtime, is_static;
    bool emit_llvm; // the user wants bitcode out of -c or -S
    bool debug;     // a -g flag that is not -g0 was the last one
    bool deps;      // -MD or -MMD
    bool deps_file, deps_target;
    bool coverage; // --coverage: gcov's files must be named after the object

    bool help, print_command;
    enum tsl_cc_dump dump;
    const char *instrument_in, *instrument_out; // --instrument IN OUT
} tsl_cc_args;

bool tsl_cc_args_parse(tsl_cc_args *a, int argc, char **argv, tsl_err *err);

// Text of --teasel-help.
extern const char tsl_cc_help[];

#endif
