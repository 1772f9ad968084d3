// The report of one bug for a person at a terminal.
#ifndef TSL_REPORT_TEXT_H
#define TSL_REPORT_TEXT_H

#include "report/bug.h"

typedef struct tsl_text_style {
    bool color;     // escape sequences for bold and red
    unsigned steps; // how many steps of the schedule to show; 0: the usual number
} tsl_text_style;

// One bug, whole: what, where, how it came about, and how to see it again.
void tsl_text_bug(const tsl_bug *bug, const tsl_sites *sites, tsl_symbols *symbols,
                  tsl_text_style style, tsl_buf *out);

#endif
