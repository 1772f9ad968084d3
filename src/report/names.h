// What are threads, places and objects called in a report?
//
// A thread is named by its path in the creation tree: T0 is main, T2 the second thread that main
// made, T2.1 the first one that T2 made.  So a thread has the same name under every schedule.
//
// An object is named as in the source: by its variable, or by the place that allocated it.
#ifndef TSL_REPORT_NAMES_H
#define TSL_REPORT_NAMES_H

#include "model/run.h"
#include "report/sites.h"
#include "report/symbol.h"

// All pointers are borrowed.  Any of them may be missing (NULL, 0): names are then less exact.
typedef struct tsl_names {
    const tsl_sites *sites;
    tsl_symbols *symbols;
    const tsl_thread_info *threads;
    size_t nthreads;
    const tsl_run *run; // to find allocations
    bool brief;         // print places without their folders, for columns
} tsl_names;

void tsl_names_thread(const tsl_names *names, unsigned thread, tsl_buf *out);
void tsl_names_object(const tsl_names *names, uint64_t addr, tsl_buf *out);

// "file.c:12", or "-" when unknown; and with the function: "file.c:12 in f".
void tsl_names_site(const tsl_names *names, uint32_t site, tsl_buf *out);
void tsl_names_site_in(const tsl_names *names, uint32_t site, tsl_buf *out);

// What the step is about: an object, a thread, or nothing.
void tsl_names_step(const tsl_names *names, const tsl_step_view *step, tsl_buf *out);

const tsl_thread_info *tsl_names_find(const tsl_names *names, unsigned thread);

// Makes text safe for a terminal: control characters become ?, newlines and tabs blanks.
void tsl_names_clean(const char *text, size_t len, tsl_buf *out);

#endif
