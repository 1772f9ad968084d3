// Where in the source is each hook?
//
// Every instrumented place gets a number: its index in the object's table, which has file, line,
// column and function.  Strings are given by offset; the one at offset 0 is empty.
#ifndef TSL_CC_SITES_H
#define TSL_CC_SITES_H

#include <llvm-c/Core.h>

#include "abi/wire.h"
#include "base/buf.h"
#include "base/vec.h"

typedef struct tsl_sites {
    TSL_VEC(tsl_site) table;
    tsl_buf strings;
    TSL_VEC(uint32_t) files; // offsets of the file names seen so far
    uint32_t func;           // name of the function being walked
} tsl_sites;

struct tsl_weaver;

void tsl_sites_init(tsl_sites *s);
void tsl_sites_drop(tsl_sites *s);
void tsl_sites_enter(tsl_sites *s, LLVMValueRef function);

// The offset of a string that is stored once.
uint32_t tsl_sites_string(tsl_sites *s, const char *text);

// File and line of the function being walked.
void tsl_sites_locate(struct tsl_weaver *w, tsl_site *site);

uint32_t tsl_sites_add(struct tsl_weaver *w, LLVMValueRef inst, enum tsl_site_kind kind);

// The tables as constants of the module.
LLVMValueRef tsl_sites_emit(struct tsl_weaver *w);
LLVMValueRef tsl_sites_emit_strings(struct tsl_weaver *w);

#endif
