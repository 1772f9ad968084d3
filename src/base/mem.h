// Allocation that never fails.
//
// When memory runs out, the tool ends with a message: it could not go on, and a check at every call
// would never be tested.  Memory is zeroed by default, so that a half-filled struct behaves the
// same in every run.
#ifndef TSL_BASE_MEM_H
#define TSL_BASE_MEM_H

#include <stddef.h>

void *tsl_alloc(size_t size);                     // zeroed
void *tsl_alloc_array(size_t count, size_t size); // zeroed; an overflow is out of memory
void *tsl_realloc(void *old, size_t size);        // added bytes are not zeroed
void tsl_free(void *p);
char *tsl_strdup(const char *text);
char *tsl_strndup(const char *text, size_t max);
char *tsl_asprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

_Noreturn void tsl_out_of_memory(size_t wanted);

#endif
