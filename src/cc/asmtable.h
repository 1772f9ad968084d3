// Which instructions are known, and what they do; see asmtext.h.
#ifndef TSL_CC_ASMTABLE_H
#define TSL_CC_ASMTABLE_H

#include "cc/asmtext.h"

// Sets class, size and order by the mnemonic; UNKNOWN if it is not in the table.
void tsl_asm_look_up(tsl_asm_inst *inst, bool arm);

#endif
