// Which functions of other objects does this module use?
//
// Some of them are redirected (abi/redirect.def).  Each gets a descriptor in the module's table,
// which is passed to __teasel_call at each call.
#ifndef TSL_CC_EXTERNS_H
#define TSL_CC_EXTERNS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct tsl_extern_use {
    LLVMValueRef function;
    uint32_t calls; // instrumented call sites
    uint32_t taken; // 1: its address is used other than by calls; or enum tsl_extern_variable
} tsl_extern_use;

typedef struct tsl_externs {
    TSL_VEC(tsl_extern_use) uses;
    LLVMTypeRef type; // of one descriptor
    LLVMValueRef table;
} tsl_externs;

struct tsl_weaver;

// Applies redirect.def.  Must be called first, because it renames declarations.
void tsl_externs_redirect(LLVMModuleRef module);

// Finds all functions this module uses and does not define.
void tsl_externs_collect(struct tsl_weaver *w);

// The descriptor of a function, or NULL if it is defined here.
LLVMValueRef tsl_externs_find(struct tsl_weaver *w, LLVMValueRef function);
// The same, and counts a call site.
LLVMValueRef tsl_externs_call(struct tsl_weaver *w, LLVMValueRef function);

// Fills in the table, once all calls are counted.
void tsl_externs_emit(struct tsl_weaver *w);
void tsl_externs_drop(tsl_externs *e);

#endif
