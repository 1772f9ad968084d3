// What could and could not be instrumented and controlled?  The census as text.
#ifndef TSL_REPORT_CENSUS_H
#define TSL_REPORT_CENSUS_H

#include "base/buf.h"
#include "report/sites.h"

// If `sites` is NULL, notes have no places.
void tsl_census_text(const tsl_census *census, const tsl_sites *sites, tsl_buf *out);
// Prints what the first census did not have, if anything.
void tsl_census_later_text(const tsl_census *census, const tsl_census *first,
                           const tsl_sites *sites, tsl_buf *out);

#endif
