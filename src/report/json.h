// The result of a campaign as JSON, for scripts.  Its names never change.
#ifndef TSL_REPORT_JSON_H
#define TSL_REPORT_JSON_H

#include "base/err.h"
#include "report/summary.h"

void tsl_json_summary(const tsl_summary *summary, tsl_buf *out);
bool tsl_json_write(const char *path, const tsl_summary *summary, tsl_err *err);

#endif
