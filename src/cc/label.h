// Which label belongs to a value?
//
// Every integer and pointer of the program has a label: a 32-bit name of the term that says how the
// value depends on inputs (abi/symbol.h), or 0 if it does not.  Labels are ordinary values of the
// module, so the optimiser folds those that are always 0.  A float or double has the label of its
// bits: it is followed as long as it is only copied.
//
//     constants                 0
//     instructions              what symbolic.c made for them
//     phis                      a phi of labels
//     parameters                what the caller left (abi/hooks.h)
//     structs in registers      one label per element
#ifndef TSL_CC_LABEL_H
#define TSL_CC_LABEL_H

#include "cc/weave.h"

enum { TSL_LABEL_ELEMENTS = 8 }; // a struct in registers with more elements has no labels

// Do values of this type have labels?  Integers up to 128 bits, pointers, float and double do.
bool tsl_label_type(LLVMTypeRef type);
bool tsl_label_is_float(LLVMTypeRef type);
unsigned tsl_label_width(const tsl_weaver *w, LLVMTypeRef type);
// The number of labels: 1, or one per element of a struct; 0: none.
unsigned tsl_label_count(LLVMTypeRef type);

void tsl_labels_init(tsl_weaver *w);
void tsl_labels_clear(tsl_weaver *w);

// The label of a value, or of element `i` of a struct.
LLVMValueRef tsl_label_of(tsl_weaver *w, LLVMValueRef value);
LLVMValueRef tsl_label_element(tsl_weaver *w, LLVMValueRef value, unsigned i);
void tsl_label_set(tsl_weaver *w, LLVMValueRef value, LLVMValueRef label);
void tsl_label_set_element(tsl_weaver *w, LLVMValueRef value, unsigned i, LLVMValueRef label);

// Is it the constant 0?
bool tsl_label_is_zero(LLVMValueRef label);

#endif
