// Which lines of the source does a basic block stand for?
//
// Asked before locals move into registers, because their assignments go then, and the lines of
// these are lines to be covered.  The answer is kept as metadata of the block's last
// instruction, which the passes in between leave alone.
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
    LLVMMetadataRef file;               // of the function
    LLVMMetadataRef scope;              // the last one looked at, and whether it is in that file
    bool own;
} tsl_lines;

// Writes the notes: lines of blocks, and which selects are a `?:` of the source.
void tsl_lines_note(LLVMModuleRef module);

// Reads those of one function.
void tsl_lines_init(tsl_lines *l, LLVMContextRef context);
void tsl_lines_enter(tsl_lines *l, LLVMMetadataRef subprogram);

// Adds those of the block that ends so, and removes the note.  Edges that were split have none.
void tsl_lines_take(tsl_lines *l, LLVMValueRef end, tsl_line_list *out);
bool tsl_lines_take_choice(tsl_lines *l, LLVMValueRef select);

// Where the source has a branch or `?:` that this one is; false: it is somebody else's.
bool tsl_lines_locate(tsl_lines *l, LLVMValueRef inst, unsigned *line, unsigned *column);

#endif
