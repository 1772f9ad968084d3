// How are values of inputs printed?  As in x = -3, buf = "ab\0", a = {1, 2, 3}.
#ifndef TSL_REPORT_INPUT_H
#define TSL_REPORT_INPUT_H

#include "base/buf.h"
#include "trace/input.h"

void tsl_input_value_text(const tsl_shown_input *input, tsl_buf *out);

#endif
