// Inputs that a program reads without asking for them: which there are, files in memory for those
// that are read from descriptors, and their values at the start of each run.
#ifndef TSLRT_SYMBOL_OUTSIDE_H
#define TSLRT_SYMBOL_OUTSIDE_H

#include <stddef.h>

#include "abi/wire.h"

void tslrt_outside_add(const tsl_outside *what);
void tslrt_outside_first(const void *bytes, size_t n);
void tslrt_outside_from_wire(const tsl_wire *wire);
void tslrt_outside_open(void);
void tslrt_outside_begin(void);
const tsl_outside *tslrt_outside_at(unsigned number); // NULL: there are no more
void tslrt_outside_put(unsigned number, char *to);    // writes its bytes, with their labels

// Where bytes are read from: a place in one of the inputs; -1: in none.
typedef struct tslrt_source {
    int input;
    uint64_t at;
} tslrt_source;

int tslrt_outside_of(int fd);
// Where a file that is opened for reading really is.
#define TSLRT_OUTSIDE_PATH 32
const char *tslrt_outside_path(const char *path, char room[TSLRT_OUTSIDE_PATH]);
uint32_t tslrt_outside_label(tslrt_source from, uint8_t actual);
void tslrt_outside_read(tslrt_source from, const void *to, size_t n); // n bytes are at `to` now
const char *tslrt_outside_text(tslrt_source from, const char **end);  // from there on, with labels
void tslrt_outside_mapped(int fd, uint64_t offset, const void *at, size_t size);

#endif
