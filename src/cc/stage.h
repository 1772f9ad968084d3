// With which arguments is clang called at each stage?
//
// These functions only build commands; they run nothing.
#ifndef TSL_CC_STAGE_H
#define TSL_CC_STAGE_H

#include "cc/args.h"
#include "cc/support.h"

// The files of one source at each stage.
typedef struct tsl_cc_unit {
    const tsl_cc_input *input;
    const char *bitcode;      // made by the front end
    const char *instrumented; // made by teasel-cc
    const char *object;       // made by the back end; the user's output file, or temporary
} tsl_cc_unit;

void tsl_stage_front(const tsl_cc_args *a, const tsl_support *s, const tsl_cc_unit *u,
                     tsl_cc_words *out);
void tsl_stage_back(const tsl_cc_args *a, const tsl_support *s, const tsl_cc_unit *u,
                    tsl_cc_words *out);

// Assembler sources: one step, no hooks.
void tsl_stage_assemble(const tsl_cc_args *a, const tsl_support *s, const tsl_cc_unit *u,
                        tsl_cc_words *out);

// `objects[i]` replaces input number i.
void tsl_stage_link(const tsl_cc_args *a, const tsl_support *s, const char *const *objects,
                    tsl_cc_words *out);

// clang with the user's words; `with_macros`: and the macros and folders that teasel-cc adds.
void tsl_stage_straight(const tsl_cc_args *a, const tsl_support *s, bool with_macros,
                        tsl_cc_words *out);

// The file that clang would write for `path`: its last component with another extension.
const char *tsl_stage_output_name(const char *path, const char *extension);

#endif
