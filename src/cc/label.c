// Keeps the label of each value; see label.h.
#include "cc/label.h"

bool tsl_label_type(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(type) == 0;
    return (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 128) ||
           tsl_label_is_float(type);
}

bool tsl_label_is_float(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

unsigned tsl_label_width(const tsl_weaver *w, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return (unsigned)LLVMPointerSize(w->layout) * 8;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    default:
        return LLVMGetIntTypeWidth(type);
    }
}

unsigned tsl_label_count(LLVMTypeRef type) {
    if (tsl_label_type(type))
        return 1;
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return 0;
    unsigned n = LLVMCountStructElementTypes(type);
    return n <= TSL_LABEL_ELEMENTS ? n : 0;
}

// ---------------------------------------------------------------- the table

void tsl_labels_init(tsl_weaver *w) {
    w->labels.zero = LLVMConstInt(w->i32, 0, 0);
    tsl_labels_clear(w);
}

void tsl_labels_clear(tsl_weaver *w) { tsl_map_drop(&w->labels.of); }

// A value is an object of LLVM, so the addresses of two values are further apart than elements.
static uint64_t key_of(LLVMValueRef value, unsigned element) {
    return (uint64_t)(uintptr_t)value + element;
}

LLVMValueRef tsl_label_element(tsl_weaver *w, LLVMValueRef value, unsigned i) {
    const uint64_t *label =
        LLVMIsConstant(value) ? NULL : tsl_map_get(&w->labels.of, key_of(value, i));
    return label ? (LLVMValueRef)(uintptr_t)*label : w->labels.zero;
}

LLVMValueRef tsl_label_of(tsl_weaver *w, LLVMValueRef value) {
    return tsl_label_element(w, value, 0);
}

void tsl_label_set_element(tsl_weaver *w, LLVMValueRef value, unsigned i, LLVMValueRef label) {
    if (!tsl_label_is_zero(label))
        *tsl_map_put(&w->labels.of, key_of(value, i), NULL) = (uint64_t)(uintptr_t)label;
}

void tsl_label_set(tsl_weaver *w, LLVMValueRef value, LLVMValueRef label) {
    tsl_label_set_element(w, value, 0, label);
}

bool tsl_label_is_zero(LLVMValueRef label) {
    return LLVMIsAConstantInt(label) && LLVMConstIntGetZExtValue(label) == 0;
}
