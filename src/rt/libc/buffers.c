// Streams that keep what they read and print in memory of the program.
//
//     setvbuf, setbuf, setbuffer, fmemopen   any call that uses the stream may touch the buffer
//     open_memstream, open_wmemstream        the same for the text; fflush and fclose store its
//                                            address and length
//
// Only libc knows when it writes what into such a buffer, so the bytes are recorded as touched
// (abi/events.def).  Standard output is left out, because its order is not explored.
#include <wchar.h>

#include "../quick.h"
#include "../sync/objects.h"
#include "buffers.h"
#include "ranges.h"

static tslrt_buffer *buffer_of(const FILE *file) {
    for (unsigned i = 0; i < RUN->libc.nbuffers; i++)
        if (RUN->tables.buffers[i].file == file)
            return &RUN->tables.buffers[i];
    return NULL;
}

static void forget(const FILE *file) {
    tslrt_buffer *b = buffer_of(file);
    if (b)
        *b = RUN->tables.buffers[--RUN->libc.nbuffers];
}

static void remember(tslrt_buffer buffer) {
    forget(buffer.file);
    if (!buffer.file || tslrt_is_output(buffer.file))
        return;
    if (RUN->libc.nbuffers == TSLRT_MAX_BUFFERS)
        tslrt_weaken(TSL_REASON_UNKNOWN_CALL,
                     "more than %u streams have memory of the program: the rest is not followed",
                     TSLRT_MAX_BUFFERS);
    else
        RUN->tables.buffers[RUN->libc.nbuffers++] = buffer;
}

bool tslrt_buffer_of(const FILE *file, unsigned nth, const void **at, uint64_t *size) {
    for (unsigned i = 0; i < RUN->libc.nbuffers; i++) {
        const tslrt_buffer *b = &RUN->tables.buffers[i];
        if ((file && b->file != file) || nth-- > 0)
            continue;
        *at = b->text ? *b->text : b->at;
        *size = b->text ? *b->length * b->element : b->size;
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- for programs

API FILE *__teasel_fmemopen(void *buffer, size_t size, const char *mode) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    FILE *file = fmemopen(buffer, size, mode);
    if (buffer)
        remember((tslrt_buffer){.file = file, .at = buffer, .size = size});
    return file;
}

API FILE *__teasel_open_memstream(char **text, size_t *length) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    FILE *file = open_memstream(text, length);
    remember((tslrt_buffer){.file = file, .text = (void **)text, .length = length, .element = 1});
    return file;
}

API FILE *__teasel_open_wmemstream(wchar_t **text, size_t *length) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    FILE *file = open_wmemstream(text, length);
    remember((tslrt_buffer){
        .file = file, .text = (void **)text, .length = length, .element = sizeof(wchar_t)});
    return file;
}

API int __teasel_setvbuf(FILE *file, char *buffer, int mode, size_t size) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    if (buffer && mode != _IONBF)
        remember((tslrt_buffer){.file = file, .at = buffer, .size = size});
    return setvbuf(file, buffer, mode, size);
}

API void __teasel_setbuffer(FILE *file, char *buffer, size_t size) {
    __teasel_setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, size);
}

API void __teasel_setbuf(FILE *file, char *buffer) {
    __teasel_setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

static void tell_text(const tslrt_buffer *b, uint32_t site) {
    if (!b || !b->text)
        return;
    tslrt_call_writes(b->text, sizeof *b->text, site);
    tslrt_call_writes(b->length, sizeof *b->length, site);
}

static bool has_text(const FILE *file) {
    for (unsigned i = 0; i < RUN->libc.nbuffers; i++)
        if ((!file || RUN->tables.buffers[i].file == file) && RUN->tables.buffers[i].text)
            return true;
    return false;
}

static uint32_t begin(enum tsl_libc_row row, const FILE *file) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)file};
    tslrt_libc_begin(&tsl_libc_rows[row], given, site, has_text(file));
    return site;
}

static int flush(enum tsl_libc_row row, FILE *file) {
    uint32_t site = begin(row, file);
    int result = fflush(file);
    tell_text(buffer_of(file), site);
    tslrt_call_leaves(site);
    return result;
}

// While libc flushes all streams, it locks their list, and a thread that opens a stream would wait
// in the kernel.  So streams that may have to wait are flushed before, one by one.  False on
// failure.
static bool flush_waiting(enum tsl_libc_row row, uint32_t site) {
    FILE *file;
    for (unsigned i = 0; (file = tslrt_file_unflushed()) && i < 2 * TSLRT_MAX_FILES; i++) {
        TSL_HOT->call_site = site;
        if (flush(TSL_ROW_fflush, file) != 0)
            return false;
        TSL_HOT->call_site = site;
        begin(row, NULL);
    }
    return true;
}

static int flush_all(enum tsl_libc_row row) {
    uint32_t site = begin(row, NULL);
    bool all = flush_waiting(row, site);
    int result = fflush(NULL);
    for (unsigned i = 0; i < RUN->libc.nbuffers; i++)
        tell_text(&RUN->tables.buffers[i], site);
    tslrt_call_leaves(site);
    return all ? result : EOF;
}

void tslrt_flush_at_exit(void) {
    if (tslrt_file_unflushed())
        flush_all(TSL_ROW_fflush_all);
    else
        fflush(NULL);
}

// fflush(NULL), where the compiler saw the NULL.
API int __teasel_fflush_all(FILE *none) {
    (void)none;
    return flush_all(TSL_ROW_fflush_all);
}

API int __teasel_fflush(FILE *file) {
    if (!file && TSL_HOT->recording != TSL_RECORD_NOTHING)
        tslrt_weaken_at(TSL_HOT->call_site, TSL_REASON_UNCONTROLLED,
                        "fflush was given NULL, in a variable or through a pointer: calls that use "
                        "other streams at the same time are not told apart");
    return file ? flush(TSL_ROW_fflush, file) : flush_all(TSL_ROW_fflush);
}

// A stream in memory has no descriptor, so closing it is like any other change of it.
API int __teasel_fclose(FILE *file) {
    uint32_t site = begin(has_text(file) ? TSL_ROW_clearerr : TSL_ROW_fclose, file);
    const tslrt_buffer *b = buffer_of(file);
    tslrt_buffer kept = b ? *b : (tslrt_buffer){0};
    tslrt_closing closing = tslrt_flock_closing(fileno(file), site);
    int result = fclose(file);
    tslrt_flock_closed(&closing);
    tell_text(&kept, site);
    forget(file);
    tslrt_stream_forget(file);
    tslrt_call_leaves(site);
    tslrt_piped_closed(file);
    return result;
}
