#include "report/input.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_SHOWN = 64 }; // elements of one input that are printed

static int64_t element_at(const tsl_shown_input *in, uint32_t i) {
    uint64_t value = 0;
    memcpy(&value, in->bytes + i * in->element, in->element);
    unsigned unused = 64 - 8 * in->element;
    bool is_signed = in->kind == TSL_INPUT_SIGNED;
    return is_signed ? (int64_t)(value << unused) >> unused : (int64_t)value;
}

static void put_number(const tsl_shown_input *in, uint32_t i, tsl_buf *out) {
    int64_t value = element_at(in, i);
    if (in->kind == TSL_INPUT_SIGNED)
        tsl_buf_add(out, "%" PRId64, value);
    else
        tsl_buf_add(out, "%" PRIu64, (uint64_t)value);
}

// Prints a C string.  Octal escapes have all three digits, so that a digit after one can't join.
static void put_text(const uint8_t *bytes, uint32_t n, tsl_buf *out) {
    tsl_buf_putc(out, '"');
    for (uint32_t i = 0; i < n; i++) {
        uint8_t c = bytes[i];
        if (c == '"' || c == '\\')
            tsl_buf_add(out, "\\%c", c);
        else if (c == '\n')
            tsl_buf_puts(out, "\\n");
        else if (c >= 0x20 && c < 0x7f)
            tsl_buf_putc(out, (char)c);
        else
            tsl_buf_add(out, "\\%03o", c);
    }
    tsl_buf_putc(out, '"');
}

void tsl_input_value_text(const tsl_shown_input *in, tsl_buf *out) {
    bool text = in->kind == TSL_INPUT_BYTES || in->kind == TSL_INPUT_TEXT;
    if (text || in->element == 0 || in->element > 8) {
        uint32_t n = in->size < 4 * MOST_SHOWN ? in->size : 4 * MOST_SHOWN;
        put_text(in->bytes, n, out);
        if (n < in->size)
            tsl_buf_add(out, "... (%u bytes)", in->size);
        return;
    }
    uint32_t n = in->size / in->element;
    if (n == 1) {
        put_number(in, 0, out);
        return;
    }
    tsl_buf_putc(out, '{');
    for (uint32_t i = 0; i < n && i < MOST_SHOWN; i++) {
        tsl_buf_puts(out, i ? ", " : "");
        put_number(in, i, out);
    }
    tsl_buf_puts(out, n > MOST_SHOWN ? ", ...}" : "}");
}
