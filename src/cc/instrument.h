// Where do the hooks of abi/hooks.h go?
//
// In front of everything another thread could notice: loads, stores, atomic operations, fences,
// copies, calls that leave the module, inline assembly.  Accesses to constants, and to locals that
// nothing else can reach, get no hook.  Hooks are inserted as plain calls; their fast paths are C
// (src/rt/hooks.c), and the optimiser inlines them.
#ifndef TSL_CC_INSTRUMENT_H
#define TSL_CC_INSTRUMENT_H

#include <llvm-c/Core.h>

#include "base/err.h"

// `cwd` is the folder the module was compiled in: file names relative to it stay as they are.
// tsl_relax_promote must have been called for the module.
bool tsl_instrument(LLVMModuleRef module, const char *cwd, tsl_err *err);

#endif
