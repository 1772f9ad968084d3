// Keeps the label of each value; see label.h.
#include "cc/label.h"

#include "base/mem.h"

bool tsl_label_type(const tsl_weaver *w, LLVMTypeRef type) {
    (void)w;
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

unsigned tsl_label_count(const tsl_weaver *w, LLVMTypeRef type) {
    if (tsl_label_type(w, type))
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

void tsl_labels_drop(tsl_weaver *w) {
    tsl_free(w->labels.slots);
    w->labels.slots = NULL;
    w->labels.cap = w->labels.len = 0;
}

void tsl_labels_clear(tsl_weaver *w) { tsl_labels_drop(w); }

static size_t place(const tsl_label_slot *slots, size_t cap, LLVMValueRef value, unsigned element) {
    uint64_t x = ((uint64_t)(uintptr_t)value + element) * 0x9e3779b97f4a7c15ull;
    size_t i = (size_t)(x >> 20) & (cap - 1);
    while (slots[i].value && (slots[i].value != value || slots[i].element != element))
        i = (i + 1) & (cap - 1);
    return i;
}

static void grow(tsl_labels *l) {
    size_t cap = l->cap ? l->cap * 2 : 256;
    tsl_label_slot *slots = tsl_alloc_array(cap, sizeof *slots);
    for (size_t i = 0; i < l->cap; i++)
        if (l->slots[i].value)
            slots[place(slots, cap, l->slots[i].value, l->slots[i].element)] = l->slots[i];
    tsl_free(l->slots);
    l->slots = slots;
    l->cap = cap;
}

LLVMValueRef tsl_label_element(tsl_weaver *w, LLVMValueRef value, unsigned i) {
    tsl_labels *l = &w->labels;
    if (!l->cap || LLVMIsConstant(value))
        return l->zero;
    const tsl_label_slot *slot = &l->slots[place(l->slots, l->cap, value, i)];
    return slot->value ? slot->label : l->zero;
}

LLVMValueRef tsl_label_of(tsl_weaver *w, LLVMValueRef value) {
    return tsl_label_element(w, value, 0);
}

void tsl_label_set_element(tsl_weaver *w, LLVMValueRef value, unsigned i, LLVMValueRef label) {
    tsl_labels *l = &w->labels;
    if (tsl_label_is_zero(label))
        return;
    if (l->len * 2 >= l->cap)
        grow(l);
    tsl_label_slot *slot = &l->slots[place(l->slots, l->cap, value, i)];
    l->len += !slot->value;
    *slot = (tsl_label_slot){value, label, i};
}

void tsl_label_set(tsl_weaver *w, LLVMValueRef value, LLVMValueRef label) {
    tsl_label_set_element(w, value, 0, label);
}

bool tsl_label_is_zero(LLVMValueRef label) {
    return LLVMIsAConstantInt(label) && LLVMConstIntGetZExtValue(label) == 0;
}
