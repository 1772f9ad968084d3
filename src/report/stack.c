// Translates stacks of threads; see stack.h.
#include "report/stack.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"

static bool of_runtime(const tsl_frame *frame) {
    const char *name = frame->function;
    return name && (strncmp(name, "__teasel_", 9) == 0 || strncmp(name, "tslrt_", 6) == 0);
}

// Is it main or a thread's start routine?  Frames outside of it are not the user's.
static bool is_outermost(const tsl_frame *frame, const char *start_routine) {
    if (!frame->function || frame->inlined)
        return false;
    return strcmp(frame->function, "main") == 0 ||
           (start_routine && strcmp(frame->function, start_routine) == 0);
}

size_t tsl_stack_frames(const tsl_names *names, const tsl_thread_info *info,
                        tsl_frame out[TSL_STACK_MAX]) {
    size_t n = 0;
    unsigned raw = info->nframes < TSL_MAX_FRAMES ? info->nframes : TSL_MAX_FRAMES;
    const char *start =
        info->start_routine ? tsl_symbols_function(names->symbols, info->start_routine) : NULL;
    for (unsigned i = 0; i < raw; i++) {
        tsl_frame frames[16];
        size_t count = tsl_symbols_pc(names->symbols, info->frames[i], frames, 16);
        for (size_t j = 0; j < count && n < TSL_STACK_MAX; j++)
            if (!of_runtime(&frames[j]))
                out[n++] = frames[j];
        if (n && is_outermost(&out[n - 1], start))
            break;
    }
    return n;
}

// The file name as the user wrote it, if that is known.
static const char *spelling(const tsl_names *names, const char *file) {
    const char *written = tsl_sites_file(names->sites, file);
    return written ? written : file;
}

void tsl_stack_frame(const tsl_names *names, const tsl_frame *frame, tsl_buf *out) {
    if (frame->file) {
        tsl_buf_add(out, "%s  %s:%d", frame->function ? frame->function : "?",
                    spelling(names, frame->file), frame->line);
        if (frame->column)
            tsl_buf_add(out, ":%d", frame->column);
        if (frame->inlined)
            tsl_buf_puts(out, " (inlined)");
        return;
    }
    if (!frame->module) {
        tsl_buf_add(out, "0x%" PRIx64, frame->pc);
        return;
    }
    if (frame->function)
        tsl_buf_puts(out, frame->function);
    tsl_buf_add(out, "+0x%" PRIx64 " (%s)", frame->offset, tsl_file_base(frame->module));
}

bool tsl_stack_where(const tsl_names *names, const tsl_thread_info *info, tsl_where *out) {
    tsl_frame frames[TSL_STACK_MAX];
    size_t n = tsl_stack_frames(names, info, frames);
    const tsl_frame *best = NULL;
    const char *file = NULL;
    for (size_t i = 0; i < n && !file; i++) {
        if (!frames[i].file)
            continue;
        file = tsl_sites_file(names->sites, frames[i].file);
        if (file || !best)
            best = &frames[i];
    }
    if (!best)
        return false;
    *out = (tsl_where){.file = file ? file : best->file,
                       .func = best->function ? best->function : "",
                       .line = (uint32_t)best->line,
                       .column = (uint32_t)best->column};
    return true;
}
