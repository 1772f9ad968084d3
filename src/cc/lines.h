// Which lines of the source does a basic block stand for?
//
// The lines are noted before locals move into registers, because assignments to these locals
// disappear then, and their lines count, too.  The notes are metadata of the block's last
// instruction, which the passes in between keep.
//
// A line counts if an instruction of the function has it, in the file of the function: a body
// that is included counts for neither file.  These are the lines that gcov counts.
#ifndef TSL_CC_LINES_H
#define TSL_CC_LINES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/vec.h"

typedef TSL_VEC(unsigned) tsl_line_list;

typedef struct tsl_lines {
    LLVMContextRef context;
    unsigned lines, choice, nosanitize; // metadata kinds
    LLVMMetadataRef file;               // file of the function
    LLVMMetadataRef scope;              // the scope looked at last
    bool own;                           // `scope` is in `file`
} tsl_lines;

// Writes the notes: lines of blocks, and which selects are a `?:` of the source.
void tsl_lines_note(LLVMModuleRef module);

// Prepares to read the notes of a module, and of one of its functions.
void tsl_lines_init(tsl_lines *l, LLVMContextRef context);
void tsl_lines_enter(tsl_lines *l, LLVMMetadataRef subprogram);

// Adds the lines of the block whose last instruction is `end`, and removes the note.  Blocks that
// were made by splitting an edge have none.
void tsl_lines_take(tsl_lines *l, LLVMValueRef end, tsl_line_list *out);
bool tsl_lines_take_choice(tsl_lines *l, LLVMValueRef select);

// The place of a branch or `?:` in the source; false: it is in another file, or a sanitizer's.
bool tsl_lines_locate(tsl_lines *l, LLVMValueRef inst, unsigned *line, unsigned *column);

#endif
