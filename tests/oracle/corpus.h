// The programs kept in tests/vm/corpus: each showed a bug once.
#ifndef TSL_ORACLE_CORPUS_H
#define TSL_ORACLE_CORPUS_H

#include "vm/program.h"

typedef struct tsl_corpus {
    char **paths; // sorted
    size_t n;
} tsl_corpus;

bool tsl_corpus_open(tsl_corpus *corpus, const char *folder, tsl_err *err);
void tsl_corpus_drop(tsl_corpus *corpus);

// Writes a program with a comment on top.
bool tsl_corpus_keep(const char *path, const tsl_vm_program *program, const char *why,
                     tsl_err *err);

#endif
