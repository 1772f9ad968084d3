#include "ranges.h"

#include <string.h>
#include <sys/socket.h>
#include <wchar.h>

const void *tsl_libc_place(const tsl_libc_range *range, const uint64_t *args, uint64_t result) {
    uint64_t at = range->arg == TSL_LIBC_RESULT ? result : args[range->arg];
    if (at && range->how & TSL_LIBC_BEHIND)
        memcpy(&at, (const void *)at, sizeof at);
    return (const void *)at;
}

static uint64_t text_length(const void *at, unsigned element, uint64_t most) {
    uint64_t n = element == 1 ? strnlen(at, most) : wcsnlen(at, most);
    return (n < most ? n + 1 : n) * element;
}

static uint64_t records_length(const void *at, unsigned size) {
    const char *record = at;
    while (*(const void *const *)record)
        record += size;
    return (uint64_t)(record + size - (const char *)at);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint32_t word_at(uint64_t at) { return at ? *(const uint32_t *)at : 0; }

// By what the call returned.
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
    case TSL_LIBC_TEXT:
        return text_length(at, r->size, r->x ? r->x : SIZE_MAX / 8);
    case TSL_LIBC_TEXT_UP_TO:
        return text_length(at, r->size, args[r->x]);
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
