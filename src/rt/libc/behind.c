// Functions that touch what the memory of their arguments points to, which a row of abi/libc.def can't say.
//
// One step each: libc does the work, and both ends of what it moves along are looked at.
#include <iconv.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "../extern.h"
#include "../sync/objects.h"
#include "ranges.h"

static void begin(enum tsl_libc_row row, const uint64_t *args, uint32_t site) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tslrt_libc_begin(&tsl_libc_rows[row], args, site, true);
}

// What is cut off the text is overwritten where it ends.
API int __teasel_getsubopt(char **text, char *const *tokens, char **value) {
    uint32_t site = tslrt_take_site();
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)text, (uintptr_t)tokens, (uintptr_t)value};
    begin(TSL_ROW_getsubopt, given, site);
    char *first = *text;
    tslrt_call_reads(first, strlen(first) + 1, site);
    int result = getsubopt(text, tokens, value);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_getsubopt], given, 0, site);
    tslrt_call_writes(first, (size_t)(*text - first), site);
    return result;
}

static char *pointer_at(char **p) { return p ? *p : NULL; }

API size_t __teasel_iconv(iconv_t cd, char **in, size_t *nin, char **out, size_t *nout) {
    uint32_t site = tslrt_take_site();
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)cd, (uintptr_t)in, (uintptr_t)nin,
                                           (uintptr_t)out, (uintptr_t)nout};
    begin(TSL_ROW_iconv, given, site);
    char *from = pointer_at(in), *to = pointer_at(out);
    tslrt_call_reads(from, nin ? *nin : 0, site);
    size_t result = iconv(cd, in, nin, out, nout);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_iconv], given, result, site);
    tslrt_call_writes(to, (size_t)(pointer_at(out) - to), site);
    return result;
}

// ---------------------------------------------------------------- queues

typedef struct link {
    struct link *next, *last;
} link;

API void __teasel_insque(void *p, void *after) {
    uint32_t site = tslrt_take_site();
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)p, (uintptr_t)after};
    begin(TSL_ROW_insque, given, site);
    link *next = after ? ((link *)after)->next : NULL;
    insque(p, after);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_insque], given, 0, site);
    if (next)
        tslrt_call_writes(&next->last, sizeof next->last, site);
}

API void __teasel_remque(void *p) {
    uint32_t site = tslrt_take_site();
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)p};
    begin(TSL_ROW_remque, given, site);
    link *next = ((link *)p)->next, *last = ((link *)p)->last;
    remque(p);
    if (next)
        tslrt_call_writes(&next->last, sizeof next->last, site);
    if (last)
        tslrt_call_writes(&last->next, sizeof last->next, site);
}
