// The output of the program, which the tool captures.
#ifndef TSLRT_OUTPUT_H
#define TSLRT_OUTPUT_H

#include "abi/wire.h"

void tslrt_output_reset(void);
void tslrt_output_collect(tsl_trace_head *trace);

#endif
