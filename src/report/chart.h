// What did samplers find?  A picture: one SVG file that needs no other file.
//
// There is a row for each sampler of each program.  On the left it shows how often each partial
// order was seen, the most frequent first, and a line where all would be if they were equally
// frequent (Fig. 6 of the paper on RAPOS).  On the right it shows what was known after how many
// runs.  The rows of a program have the same scales, so that samplers can be compared.
#ifndef TSL_REPORT_CHART_H
#define TSL_REPORT_CHART_H

#include "report/tally_file.h"

void tsl_chart_format(const tsl_sampled_programs *programs, tsl_buf *out);

#endif
