
#include <dirent.h>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <pwd.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <wchar.h>

#include "ranges.h"

// ---------------------------------------------------------------- strings of a record

// The offsets of pointers to strings, and to lists of strings that end with NULL.
static const struct {
    uint8_t ntexts, nlists;
    uint16_t texts[5], lists[2];
    uint16_t size; // of the items of a list; 0: strings
} layouts[] = {
#define AT(type, member) offsetof(struct type, member)
    [TSL_LAYOUT_PASSWD] = {.ntexts = 5,
                           .texts = {AT(passwd, pw_name), AT(passwd, pw_passwd),
                                     AT(passwd, pw_gecos), AT(passwd, pw_dir),
                                     AT(passwd, pw_shell)}},
    [TSL_LAYOUT_GROUP] = {2, 1, {AT(group, gr_name), AT(group, gr_passwd)}, {AT(group, gr_mem)}, 0},
    [TSL_LAYOUT_HOST] =
        {1, 2, {AT(hostent, h_name)}, {AT(hostent, h_aliases), AT(hostent, h_addr_list)}, 4},
    [TSL_LAYOUT_SERVICE] =
        {2, 1, {AT(servent, s_name), AT(servent, s_proto)}, {AT(servent, s_aliases)}, 0},
    [TSL_LAYOUT_PROTOCOL] = {1, 1, {AT(protoent, p_name)}, {AT(protoent, p_aliases)}, 0},
    [TSL_LAYOUT_NET] = {1, 1, {AT(netent, n_name)}, {AT(netent, n_aliases)}, 0},
    [TSL_LAYOUT_MOUNT] = {.ntexts = 4,
                          .texts = {AT(mntent, mnt_fsname), AT(mntent, mnt_dir),
                                    AT(mntent, mnt_type), AT(mntent, mnt_opts)}},
    [TSL_LAYOUT_OPTIONS] = {.ntexts = 1, .texts = {AT(mntent, mnt_opts)}},
#undef AT
};

typedef struct hull {
    const char *low, *high;
} hull;

// The strings lie together in libc's buffer; what lies far away is not in that.
static void widen(hull *h, const void *from, uint64_t size) {
    enum { FAR = 1 << 16 };
    const char *low = from, *high = low + size;
    if (!h->low)
        *h = (hull){low, high};
    else if (low + FAR > h->low && low < h->high + FAR) {
        h->low = low < h->low ? low : h->low;
        h->high = high > h->high ? high : h->high;
    }
}

static const char *pointer_at(const void *record, unsigned offset) {
    const char *p;
    memcpy(&p, (const char *)record + offset, sizeof p);
    return p;
}

static hull texts_of(const void *record, unsigned layout) {
    hull h = {NULL, NULL};
    for (unsigned i = 0; i < layouts[layout].ntexts; i++) {
        const char *text = pointer_at(record, layouts[layout].texts[i]);
        if (text)
            widen(&h, text, strlen(text) + 1);
    }
    for (unsigned i = 0; i < layouts[layout].nlists; i++) {
        const char *list = pointer_at(record, layouts[layout].lists[i]), *item;
        unsigned n = 0;
        for (; list && (item = pointer_at(list, n * sizeof item)); n++)
            widen(&h, item, layouts[layout].size ? layouts[layout].size : strlen(item) + 1);
        if (list)
            widen(&h, list, (n + 1) * sizeof item);
    }
    return h;
}

// ---------------------------------------------------------------- formats of times

static unsigned character_at(const void *text, size_t i, unsigned size) {
    return size == 1 ? ((const uint8_t *)text)[i] : (unsigned)((const wchar_t *)text)[i];
}

// Does the format contain %Z, perhaps with flags and a width?
static bool names_zone(const void *format, unsigned size) {
    unsigned c;
    for (size_t i = 0; (c = character_at(format, i, size)); i++) {
        if (c != '%')
            continue;
        while ((c = character_at(format, ++i, size)) && c < 128 &&
               strchr("_-+^#0123456789EO", (int)c))
            ;
        if (c == 'Z')
            return true;
        if (!c)
            return false;
    }
    return false;
}

// If the format does not ask for the zone, the pointer may not be initialised.
static const char *zone_of(const struct tm *time, const void *format, unsigned size) {
    return names_zone(format, size) ? time->tm_zone : NULL;
}

// ---------------------------------------------------------------- places

const void *tsl_libc_place(const tsl_libc_range *range, const uint64_t *args, uint64_t result) {
    uint64_t at = range->arg == TSL_LIBC_RESULT ? result : args[range->arg];
    if (at && range->how & TSL_LIBC_BEHIND)
        memcpy(&at, (const void *)at, sizeof at);
    if (at && range->form == TSL_LIBC_TEXTS)
        return texts_of((const void *)at, range->x).low;
    if (at && range->form == TSL_LIBC_ENTRY)
        at += offsetof(struct dirent, d_name);
    if (at && range->form == TSL_LIBC_ZONE)
        return zone_of((const void *)at, (const void *)args[range->x], range->size);
    return (const void *)at;
}

static uint64_t length_of_texts(const tsl_libc_range *r, const uint64_t *args, uint64_t result) {
    uint64_t record = r->arg == TSL_LIBC_RESULT ? result : args[r->arg];
    hull h = texts_of((const void *)record, r->x);
    return (uint64_t)(h.high - h.low);
}

static uint64_t text_length(const void *at, unsigned element, uint64_t most) {
    uint64_t n = element == 1 ? strnlen(at, most) : wcsnlen(at, most);
    return (n < most ? n + 1 : n) * element;
}

// ---------------------------------------------------------------- characters of the locale

// In UTF-8, the first byte tells how many bytes the character has; those that follow are counted.
// In other locales, characters have one byte.
static uint64_t character_length(const uint8_t *at, uint64_t most) {
    uint64_t wanted = MB_CUR_MAX == 1 || *at < 0xc2 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
    uint64_t n = 1;
    while (n < wanted && n < most && (at[n] & 0xc0) == 0x80)
        n++;
    return n < wanted && n < most ? n + 1 : n; // the first byte that does not belong was read, too
}

static uint64_t characters_length(const uint8_t *at, uint64_t most) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < most; i++) {
        if (!at[n])
            return n + 1;
        n += character_length(at + n, SIZE_MAX);
    }
    return n;
}

static uint64_t wide_characters_length(const wchar_t *at, uint64_t most) {
    uint64_t n = 0, bytes = 0;
    while (bytes < most) {
        uint32_t c = (uint32_t)at[n++];
        if (!c)
            break;
        bytes += MB_CUR_MAX == 1 || c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }
    return n * sizeof *at;
}

static uint64_t length_of_characters(const tsl_libc_range *r, const void *at,
                                     const uint64_t *args) {
    uint64_t most = args[r->y] ? args[r->x] : SIZE_MAX;
    return r->size == 1 ? characters_length(at, most) : wide_characters_length(at, most);
}

// How much of the string regexec reads.
static uint64_t subject_length(const char *at, const regmatch_t *first, int flags) {
    if (!(flags & REG_STARTEND))
        return strlen(at) + 1;
    return first->rm_eo > 0 ? (uint64_t)first->rm_eo : 0;
}

static uint64_t records_length(const void *at, unsigned size) {
    const char *record = at;
    while (*(const void *const *)record)
        record += size;
    return (uint64_t)(record + size - (const char *)at);
}

// The beginning of a DIR of glibc; the entries follow.
typedef struct folder {
    int fd, lock;
    size_t room, used, next;
    off_t position;
    int error;
    char entries[] __attribute__((aligned(16)));
} folder;

static uint64_t length_of_entries(const void *first, const folder *f) {
    return first == f->entries && f->used <= f->room ? f->used : 0;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint32_t word_at(uint64_t at) { return at ? *(const uint32_t *)at : 0; }

// Lengths that follow from what the call returned.
static uint64_t length_by_result(const tsl_libc_range *r, const uint64_t *args, uint64_t result) {
    switch ((enum tsl_libc_form)r->form) {
    case TSL_LIBC_GOT:
        return result * r->size;
    case TSL_LIBC_GOT_TIMES:
        return result * args[r->x];
    case TSL_LIBC_GOT_TEXT:
        return (result + 1) * r->size;
    case TSL_LIBC_GOT_UP_TO:
        return least(result + 1, args[r->x]) * r->size;
    case TSL_LIBC_GOT_LENGTH:
        return least(result, args[r->x]);
    case TSL_LIBC_GOT_IF:
        return args[r->x] ? result * r->size : 0;
    case TSL_LIBC_GOT_MESSAGE:
        return result + r->size;
    default:
        return 0;
    }
}

uint64_t tsl_libc_length(const tsl_libc_range *r, const void *at, const uint64_t *args,
                         uint64_t result) {
    switch ((enum tsl_libc_form)r->form) {
    case TSL_LIBC_FIXED:
        return r->size;
    case TSL_LIBC_ARG:
        return args[r->x] * r->size;
    case TSL_LIBC_TIMES:
        return args[r->x] * args[r->y];
    case TSL_LIBC_TEXTS:
        return length_of_texts(r, args, result);
    case TSL_LIBC_ENTRIES:
        return length_of_entries(at, (const folder *)args[r->x]);
    case TSL_LIBC_ENTRY:
    case TSL_LIBC_ZONE:
        return strlen(at) + 1;
    case TSL_LIBC_TEXT:
        return text_length(at, r->size, r->x ? r->x : SIZE_MAX / 8);
    case TSL_LIBC_TEXT_UP_TO:
        return text_length(at, r->size, args[r->x]);
    case TSL_LIBC_FOUND:
        return (uint64_t)((const char *)rawmemchr(at, (int)args[r->x]) - (const char *)at) + 1;
    case TSL_LIBC_CHARACTER:
        return args[r->x] ? character_length(at, args[r->x]) : 0;
    case TSL_LIBC_CHARACTERS:
        return length_of_characters(r, at, args);
    case TSL_LIBC_SUBJECT:
        return subject_length(at, (const regmatch_t *)args[r->x], (int)args[4]);
    case TSL_LIBC_AT_LENGTH:
        return word_at(args[r->x]);
    case TSL_LIBC_WORDS:
        return records_length(at, r->size);
    case TSL_LIBC_FAMILY:
        return args[r->x] == AF_INET ? 4 : 16;
    case TSL_LIBC_PAGES:
        return (args[r->x] + 4095) / 4096;
    case TSL_LIBC_MESSAGE:
        return args[r->x] + r->size;
    default:
        return length_by_result(r, args, result);
    }
}

bool tsl_libc_succeeded(const tsl_libc *row, uint64_t result) {
    switch ((enum tsl_libc_ok)row->ok) {
    case TSL_LIBC_ZERO:
        return (int32_t)result == 0;
    case TSL_LIBC_NONZERO:
        return result != 0;
    case TSL_LIBC_NONNEG:
        return (int32_t)result >= 0;
    case TSL_LIBC_POSITIVE:
        return (int64_t)result > 0;
    default:
        return true;
    }
}

bool tsl_libc_writes(const tsl_libc *row) {
    for (unsigned i = 0; i < TSL_LIBC_RANGES; i++)
        if (row->ranges[i].how & TSL_LIBC_WRITES)
            return true;
    return false;
}

bool tsl_libc_uses(const tsl_libc *row, unsigned state) {
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        if (row->uses[i].state == state)
            return true;
    return false;
}

// Which file a name leads to depends on the working directory and the user of the process; the mode
// of a new file depends on the process's umask.
bool tsl_libc_names_file(const tsl_libc *row) {
    bool files = false, text = false;
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        files |= row->uses[i].state == TSL_STATE_FILES || row->uses[i].state == TSL_USE_OPENS ||
                 row->uses[i].state == TSL_USE_OPENS_AS || row->uses[i].state == TSL_STATE_QUEUES;
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++)
        text |= row->ranges[i].form == TSL_LIBC_TEXT && row->ranges[i].arg != TSL_LIBC_RESULT;
    return files && text;
}

// strptime reads seconds since the epoch as local time.
bool tsl_libc_reads_seconds(const char *format) {
    for (const char *p = format; p && (p = strchr(p, '%')); p++) {
        p += 1 + strspn(p + 1, "_-+^#0123456789EO");
        if (*p == 's')
            return true;
        if (!*p)
            return false;
    }
    return false;
}
