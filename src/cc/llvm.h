// Questions to LLVM that several files ask, and that take several calls of its C interface.
#ifndef TSL_CC_LLVM_H
#define TSL_CC_LLVM_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/vec.h"

typedef TSL_VEC(LLVMBasicBlockRef) tsl_blocks;

// The name of a function or variable, and whether it starts with `prefix`.
const char *tsl_llvm_name(LLVMValueRef global);
bool tsl_llvm_starts(LLVMValueRef global, const char *prefix);

// Is the called value an intrinsic?
bool tsl_llvm_is_intrinsic(LLVMValueRef callee);
// Is it an intrinsic that copies memory (memcpy, memmove), or fills it (memset)?
bool tsl_llvm_copies(LLVMValueRef callee);
bool tsl_llvm_fills(LLVMValueRef callee);

// Is it a variable that nothing writes?
bool tsl_llvm_is_constant(LLVMValueRef base);

// The number of an attribute.
unsigned tsl_llvm_attribute(const char *name);
bool tsl_llvm_has(LLVMValueRef function, const char *attribute);
void tsl_llvm_add(LLVMValueRef function, const char *attribute);
void tsl_llvm_remove(LLVMValueRef function, const char *attribute);
// The type that an attribute of parameter `i` has, of a function or of a call; NULL: it has no such
// attribute.
LLVMTypeRef tsl_llvm_param_type(LLVMValueRef function, unsigned i, const char *attribute);
LLVMTypeRef tsl_llvm_operand_type(LLVMValueRef call, unsigned i, const char *attribute);

// A constant of this module.
LLVMValueRef tsl_llvm_add_table(LLVMModuleRef module, const char *name, LLVMValueRef value);

// The same for bytes: one constant per field would take as long as all the rest.
LLVMValueRef tsl_llvm_add_bytes(LLVMModuleRef module, const char *name, const void *data,
                                size_t len);

// Adds the blocks that can be reached, in reverse postorder from the entry: a value is defined
// before it is used, except by phis.
void tsl_llvm_order(LLVMValueRef function, tsl_blocks *out);

#endif
