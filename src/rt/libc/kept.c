// Functions of libc that use memory which the program gave them in an earlier call.
//
//     strtok, strtok_r, strsep, wcstok   the rest of a text: the skipped part and the word are
//                                        read, and the end of the word is overwritten
//     hsearch, hsearch_r                 keys in the table: those with the same hash are compared
//     openlog                            the name that each message begins with
//
// Each call is one step.  The memory is known only when the step runs, because another thread may
// have called the function before.
#include <search.h>
#include <string.h>
#include <syslog.h>
#include <wchar.h>

#include "../quick.h"
#include "../sync/objects.h"
#include "ranges.h"

// ---------------------------------------------------------------- words

static uint32_t begin(enum tsl_libc_row row, const uint64_t *given) {
    uint32_t site = tslrt_enter(tsl_libc_rows[row].class_);
    tslrt_libc_begin(&tsl_libc_rows[row], given, site, true);
    return site;
}

// A word, and what is skipped before it, in characters.
typedef struct word {
    size_t skipped, length;
    bool cut; // the text goes on after the word, so the character after the word is overwritten
} word;

static word word_at(const char *text, const char *ends, bool skips) {
    word w = {.skipped = skips ? strspn(text, ends) : 0};
    w.length = strcspn(text + w.skipped, ends);
    w.cut = text[w.skipped + w.length] && (w.length || !skips);
    return w;
}

static word wide_word_at(const wchar_t *text, const wchar_t *ends) {
    word w = {.skipped = wcsspn(text, ends)};
    w.length = wcscspn(text + w.skipped, ends);
    w.cut = w.length && text[w.skipped + w.length];
    return w;
}

static void tell_word(const void *text, word w, size_t size, uint32_t site) {
    const char *end = (const char *)text + (w.skipped + w.length) * size;
    tslrt_call_follows(text, (w.skipped + w.length + 1) * size, site);
    tslrt_symbols_read("strtok or its like", text, (w.skipped + w.length + 1) * size);
    if (w.cut)
        tslrt_call_writes(end, size, site);
}

static void tell_next(const char *text, const char *ends, bool skips, uint32_t site) {
    if (text)
        tell_word(text, word_at(text, ends, skips), 1, site);
}

// libc remembers where the text goes on, but does not tell, so the runtime remembers it, too.
API char *__teasel_strtok(char *text, const char *ends) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)text, (uintptr_t)ends};
    uint32_t site = begin(TSL_ROW_strtok, given);
    const char *from = text ? text : RUN->libc.kept.strtok_rest;
    word w = from ? word_at(from, ends, true) : (word){0};
    tell_next(from, ends, true, site);
    char *found = strtok(text, ends);
    if (from)
        RUN->libc.kept.strtok_rest = from + w.skipped + w.length + w.cut;
    return found;
}

API char *__teasel_strtok_r(char *text, const char *ends, char **rest) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)text, (uintptr_t)ends, (uintptr_t)rest};
    uint32_t site = begin(TSL_ROW_strtok_r, given);
    tell_next(text ? text : *rest, ends, true, site);
    char *found = strtok_r(text, ends, rest);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_strtok_r], given, 0, site);
    return found;
}

API char *__teasel_strsep(char **text, const char *ends) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)text, (uintptr_t)ends};
    uint32_t site = begin(TSL_ROW_strsep, given);
    tell_next(*text, ends, false, site);
    char *found = strsep(text, ends);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_strsep], given, (uintptr_t)found, site);
    return found;
}

API wchar_t *__teasel_wcstok(wchar_t *text, const wchar_t *ends, wchar_t **rest) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)text, (uintptr_t)ends, (uintptr_t)rest};
    uint32_t site = begin(TSL_ROW_wcstok, given);
    const wchar_t *from = text ? text : *rest;
    if (from) // NULL means the end to libc
        tell_word(from, wide_word_at(from, ends), sizeof *from, site);
    wchar_t *found = wcstok(text, ends, rest);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_wcstok], given, 0, site);
    return found;
}

// ---------------------------------------------------------------- tables

// A place in a table of glibc.  The first place is not used.
typedef struct place {
    unsigned hash; // 0: the place is empty
    ENTRY entry;
} place;

static unsigned hash_of(const char *key) {
    size_t n = strlen(key);
    unsigned hash = (unsigned)n;
    while (n-- > 0)
        hash = (hash << 4) + (unsigned)key[n];
    return hash ? hash : 1;
}

static size_t compared(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n + 1;
}

// Tells what a comparison with this place reads.  True if the key is found there.
static bool tell_place(const place *at, const char *key, unsigned hash, uint32_t site) {
    if (at->hash != hash)
        return false;
    tslrt_call_reads(&at->entry.key, sizeof at->entry.key, site);
    tslrt_call_reads(at->entry.key, compared(key, at->entry.key), site);
    return strcmp(key, at->entry.key) == 0;
}

// Tells what glibc reads in the table: places at a distance that depends on the key.
static void tell_places(const struct hsearch_data *table, const char *key, uint32_t site) {
    const place *places = (const place *)table->table;
    unsigned hash = hash_of(key);
    if (!places || table->size < 3)
        return;
    unsigned first = hash % table->size + 1, distance = 1 + hash % (table->size - 2), i = first;
    do {
        if (!places[i].hash || tell_place(&places[i], key, hash, site))
            return;
        i = i <= distance ? table->size + i - distance : i - distance;
    } while (i != first);
}

static int search(enum tsl_libc_row row, const uint64_t *given, struct hsearch_data *table,
                  ENTRY entry, ACTION action, ENTRY **found) {
    uint32_t site = begin(row, given);
    tell_places(table, entry.key, site);
    int result = hsearch_r(entry, action, found, table);
    tslrt_libc_end(&tsl_libc_rows[row], given, (uint64_t)result, site);
    return result;
}

API int __teasel_hsearch_r(ENTRY entry, ACTION action, ENTRY **found, struct hsearch_data *table) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)entry.key, (uintptr_t)entry.data, action,
                                           (uintptr_t)found, (uintptr_t)table};
    return search(TSL_ROW_hsearch_r, given, table, entry, action, found);
}

// The table of hsearch is kept here, because libc's own is not accessible.
static struct hsearch_data *own_table(void) {
    _Static_assert(sizeof(struct hsearch_data) == sizeof RUN->libc.kept.table, "as kept.h has it");
    return (struct hsearch_data *)(void *)RUN->libc.kept.table;
}

API ENTRY *__teasel_hsearch(ENTRY entry, ACTION action) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)entry.key, (uintptr_t)entry.data, action};
    ENTRY *found = NULL;
    search(TSL_ROW_hsearch, given, own_table(), entry, action, &found);
    return found;
}

API int __teasel_hcreate(size_t n) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    return hcreate_r(n, own_table());
}

API void __teasel_hdestroy(void) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    hdestroy_r(own_table());
}

// ---------------------------------------------------------------- the log

API void __teasel_openlog(const char *name, int options, int facility) {
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    RUN->libc.kept.log_name = name ? name : RUN->libc.kept.log_name;
    openlog(name, options, facility);
}

API void __teasel_closelog(void) {
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    RUN->libc.kept.log_name = NULL;
    closelog();
}
