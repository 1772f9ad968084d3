// The census for people: what is under control, and what is not.
#ifndef TSL_REPORT_CENSUS_H
#define TSL_REPORT_CENSUS_H

#include "base/buf.h"
#include "report/sites.h"

// sites may be NULL: notes are said without their places.
void tsl_census_text(const tsl_census *census, const tsl_sites *sites, tsl_buf *out);
// What the first one did not have; nothing if there is nothing.
void tsl_census_later_text(const tsl_census *census, const tsl_census *first,
                           const tsl_sites *sites, tsl_buf *out);

#endif
