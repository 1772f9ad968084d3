// Why did a run not go as planned?  In words: which step differs, and what may be the cause.
#ifndef TSL_REPORT_DIVERGENCE_H
#define TSL_REPORT_DIVERGENCE_H

#include "base/buf.h"
#include "model/counts.h"
#include "report/sites.h"

// One line or two, each ended.  The census tells what the program hears from outside.
void tsl_divergence_text(const tsl_stray_run *stray, const tsl_sites *sites,
                         const tsl_census *census, tsl_buf *out);

#endif
