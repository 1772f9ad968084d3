// Where do the hooks of abi/hooks.h go?
//
// In front of everything another thread could notice: loads, stores, atomic
// operations, fences, copies, calls that leave the module, inline assembly.
// Accesses to locals nobody else can reach and to constants are left alone.
// What is inserted are plain calls; the fast paths are C (src/rt/hooks.c) and
// the optimiser inlines them.
#ifndef TSL_CC_INSTRUMENT_H
#define TSL_CC_INSTRUMENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/err.h"

// `cwd` is the folder the module was compiled in: file names relative to it
// stay as they are.  The module must have been promoted (relax.h).
bool tsl_instrument(LLVMModuleRef module, const char *cwd, tsl_err *err);

#endif
