// Command-line options described by a table.
//
// Each subcommand has a table with the names of its options, where their values go, and the help
// text.  Parsing and --help both read the table, so they can't disagree.
//
//     tsl_opt opts[] = {
//         TSL_OPT_GROUP("Search"),
//         TSL_OPT_U64("seed", 's', "N", &seed, "seed of every random choice"),
//         TSL_OPT_FLAG("keep-going", 'k', &keep_going, "do not stop at the first bug"),
//         TSL_OPT_CHOICE("strategy", 0, "NAME", &strategy, names, "how to search"),
//         TSL_OPT_END,
//     };
//
// `--name=value`, `--name value`, `-s 42`, `-s42`, `-kv` (flags), `--no-name`
// (flags); `--` ends the options.  The last one given wins.
#ifndef TSL_BASE_OPT_H
#define TSL_BASE_OPT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"

typedef TSL_VEC(const char *) tsl_words; // borrowed from argv

enum tsl_opt_kind {
    TSL_OPT_KIND_END,
    TSL_OPT_KIND_GROUP, // a heading of the help text
    TSL_OPT_KIND_FLAG,
    TSL_OPT_KIND_U64,
    TSL_OPT_KIND_STRING,
    TSL_OPT_KIND_OUTPUT,  // a file to be written; `-` is standard output, see tsl_file_take_stdout
    TSL_OPT_KIND_SECONDS, // see tsl_num_seconds
    TSL_OPT_KIND_CHOICE,  // index into `choices`
    TSL_OPT_KIND_LIST     // may be given several times; all values are kept
};

typedef struct tsl_opt {
    const char *name; // without the dashes
    char letter;      // 0: none
    enum tsl_opt_kind kind;
    const char *arg; // name of the value in the help text
    const char *help;
    union {
        bool *flag;
        uint64_t *u64;
        const char **string;
        double *seconds;
        unsigned *choice;
        tsl_words *list;
    } to;
    const char *const *choices; // ends with NULL
    bool explained;             // the caller lists the choices in its part of the help text
    uint64_t min, max;          // of a U64; max 0: no limit
} tsl_opt;

#define TSL_OPT_END                                                                                \
    { .kind = TSL_OPT_KIND_END }
#define TSL_OPT_GROUP(text)                                                                        \
    { .kind = TSL_OPT_KIND_GROUP, .help = (text) }
#define TSL_OPT_FLAG(n, c, to_, help_)                                                             \
    { .name = (n), .letter = (c), .kind = TSL_OPT_KIND_FLAG, .to.flag = (to_), .help = (help_) }
#define TSL_OPT_VALUE_(n, c, kind_, arg_, help_)                                                   \
    .name = (n), .letter = (c), .kind = TSL_OPT_KIND_##kind_, .arg = (arg_), .help = (help_)
#define TSL_OPT_U64(n, c, arg_, to_, help_)                                                        \
    { TSL_OPT_VALUE_(n, c, U64, arg_, help_), .to.u64 = (to_) }
#define TSL_OPT_RANGE(n, c, arg_, to_, min_, max_, help_)                                          \
    { TSL_OPT_VALUE_(n, c, U64, arg_, help_), .to.u64 = (to_), .min = (min_), .max = (max_) }
#define TSL_OPT_STRING(n, c, arg_, to_, help_)                                                     \
    { TSL_OPT_VALUE_(n, c, STRING, arg_, help_), .to.string = (to_) }
#define TSL_OPT_OUTPUT(n, c, to_, help_)                                                           \
    { TSL_OPT_VALUE_(n, c, OUTPUT, "FILE", help_), .to.string = (to_) }
#define TSL_OPT_SECONDS(n, c, arg_, to_, help_)                                                    \
    { TSL_OPT_VALUE_(n, c, SECONDS, arg_, help_), .to.seconds = (to_) }
#define TSL_OPT_CHOICE(n, c, arg_, to_, choices_, help_)                                           \
    { TSL_OPT_VALUE_(n, c, CHOICE, arg_, help_), .to.choice = (to_), .choices = (choices_) }
#define TSL_OPT_EXPLAINED_CHOICE(n, c, arg_, to_, choices_, help_)                                 \
    {                                                                                              \
        TSL_OPT_VALUE_(n, c, CHOICE, arg_, help_), .to.choice = (to_), .choices = (choices_),      \
                                                   .explained = true                               \
    }
#define TSL_OPT_LIST(n, c, arg_, to_, help_)                                                       \
    { TSL_OPT_VALUE_(n, c, LIST, arg_, help_), .to.list = (to_) }

// Parses argv[0..argc-1] (without the program's name).  Words that are no options go to `words`;
// words behind `--` go to `after`, or to `words` if `after` is NULL.
bool tsl_opt_parse(const tsl_opt *opts, int argc, char *const *argv, tsl_words *words,
                   tsl_words *after, tsl_err *err);

// The table as help text: two columns, 80 characters wide.
void tsl_opt_help(const tsl_opt *opts, tsl_buf *out);

// How many letters must be added, dropped, changed or swapped to turn a into b.
size_t tsl_opt_distance(const char *a, const char *b);

#endif
