// How do the runtime's fast paths get into a module?
//
// Fast paths are C, compiled to bitcode when Teasel is built.  They are linked into the module and
// marked internal and always-inline, so that they leave no symbol behind.
#ifndef TSL_CC_FASTPATH_H
#define TSL_CC_FASTPATH_H

#include <llvm-c/Core.h>

#include "base/err.h"

// Reads bitcode or textual IR.  The caller disposes of the module.
bool tsl_module_read(LLVMContextRef context, const char *path, LLVMModuleRef *module, tsl_err *err);

bool tsl_fastpath_link(LLVMModuleRef module, const char *path, tsl_err *err);

#endif
