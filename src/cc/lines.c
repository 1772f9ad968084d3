// Notes the lines of blocks; see lines.h.
#include "cc/lines.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "cc/llvm.h"

static unsigned kind_of(LLVMContextRef context, const char *name) {
    return LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
}

void tsl_lines_init(tsl_lines *l, LLVMContextRef context) {
    *l = (tsl_lines){.context = context,
                     .lines = kind_of(context, "teasel.lines"),
                     .choice = kind_of(context, "teasel.choice"),
                     .nosanitize = kind_of(context, "nosanitize")};
}

void tsl_lines_enter(tsl_lines *l, LLVMMetadataRef subprogram) {
    l->file = LLVMDIScopeGetFile(subprogram);
    l->scope = NULL;
}

static bool same_file(LLVMMetadataRef a, LLVMMetadataRef b) {
    unsigned alen, blen;
    const char *x = LLVMDIFileGetFilename(a, &alen), *y = LLVMDIFileGetFilename(b, &blen);
    return a == b || (alen == blen && !memcmp(x, y, alen));
}

// The line of the instruction; 0: it has none, or is in another file.
static unsigned own_line(tsl_lines *l, LLVMValueRef inst) {
    LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
    if (!loc)
        return 0;
    LLVMMetadataRef scope = LLVMDILocationGetScope(loc);
    if (scope != l->scope) {
        LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
        l->own = file && l->file && same_file(file, l->file);
        l->scope = scope;
    }
    return l->own ? LLVMDILocationGetLine(loc) : 0;
}

// Branches that sanitizers insert are not in the source.
bool tsl_lines_locate(tsl_lines *l, LLVMValueRef inst, unsigned *line, unsigned *column) {
    *line = own_line(l, inst);
    *column = *line ? LLVMGetDebugLocColumn(inst) : 0;
    return *line && !LLVMGetMetadata(inst, l->nosanitize);
}

// ---------------------------------------------------------------- writing

// Is it an intrinsic that has a line but does nothing?
static bool is_marker(LLVMValueRef inst) {
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    return callee && LLVMIsAFunction(callee) &&
           (tsl_llvm_starts(callee, "llvm.dbg.") || tsl_llvm_starts(callee, "llvm.lifetime."));
}

typedef TSL_VEC(LLVMMetadataRef) nodes;

static void set_note(tsl_lines *l, LLVMValueRef inst, unsigned kind, const nodes *of) {
    LLVMMetadataRef node = LLVMMDNodeInContext2(l->context, of->data, of->len);
    LLVMSetMetadata(inst, kind, LLVMMetadataAsValue(l->context, node));
}

static void note_block(tsl_lines *l, LLVMBasicBlockRef block, nodes *found) {
    static const nodes nothing;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(l->context);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned last = 0;
    tsl_vec_clear(found);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        unsigned line = own_line(l, i);
        if (!line || is_marker(i))
            continue;
        if (line != last)
            tsl_vec_push(found, LLVMValueAsMetadata(LLVMConstInt(i32, line, 0)));
        last = line;
        if (LLVMIsASelectInst(i))
            set_note(l, i, l->choice, &nothing);
    }
    if (end && found->len)
        set_note(l, end, l->lines, found);
}

void tsl_lines_note(LLVMModuleRef module) {
    tsl_lines l;
    nodes found = {0};
    tsl_lines_init(&l, LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
        if (!subprogram)
            continue;
        tsl_lines_enter(&l, subprogram);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            note_block(&l, b, &found);
    }
    tsl_vec_drop(&found);
}

// ---------------------------------------------------------------- reading

void tsl_lines_take(tsl_lines *l, LLVMValueRef end, tsl_line_list *out) {
    LLVMValueRef note = LLVMGetMetadata(end, l->lines);
    if (!note)
        return;
    unsigned n = LLVMGetMDNodeNumOperands(note);
    LLVMValueRef *operands = tsl_alloc_array(n, sizeof *operands);
    LLVMGetMDNodeOperands(note, operands);
    for (unsigned i = 0; i < n; i++)
        tsl_vec_push(out, (unsigned)LLVMConstIntGetZExtValue(operands[i]));
    tsl_free(operands);
    LLVMSetMetadata(end, l->lines, NULL);
}

bool tsl_lines_take_choice(tsl_lines *l, LLVMValueRef select) {
    if (!LLVMGetMetadata(select, l->choice))
        return false;
    LLVMSetMetadata(select, l->choice, NULL);
    return true;
}
