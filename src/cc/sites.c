// Makes the site table of one module; see sites.h.
#include "cc/sites.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "cc/weave.h"

void tsl_sites_init(tsl_sites *s) {
    memset(s, 0, sizeof *s);
    tsl_buf_putc(&s->strings, 0);
}

void tsl_sites_drop(tsl_sites *s) {
    tsl_vec_drop(&s->table);
    tsl_vec_drop(&s->files);
    tsl_buf_drop(&s->strings);
}

static uint32_t add_string(tsl_sites *s, const char *text, size_t len) {
    uint32_t offset = (uint32_t)s->strings.len;
    tsl_buf_bytes(&s->strings, text, len);
    tsl_buf_putc(&s->strings, 0);
    return offset;
}

// A module has few files with code, and the one used last is at the end.
uint32_t tsl_sites_string(tsl_sites *s, const char *text) {
    for (size_t i = s->files.len; i-- > 0;)
        if (!strcmp(s->strings.data + s->files.data[i], text))
            return s->files.data[i];
    uint32_t offset = add_string(s, text, strlen(text));
    tsl_vec_push(&s->files, offset);
    return offset;
}

void tsl_sites_enter(tsl_sites *s, LLVMValueRef function) {
    size_t len;
    const char *name = LLVMGetValueName2(function, &len);
    if (len && name[0] == '\1') { // "do not mangle", not part of the name
        name++;
        len--;
    }
    s->func = add_string(s, name, len);
}

// Keeps the name as the user wrote it if that is relative to the folder of the compilation.
// Otherwise puts the folder in front again, which clang splits off from absolute names.
static uint32_t file_name(tsl_weaver *w, const char *dir, size_t dir_len, const char *file,
                          size_t file_len) {
    bool as_given = !dir_len || (file_len && file[0] == '/') ||
                    (strlen(w->cwd) == dir_len && !memcmp(w->cwd, dir, dir_len));
    char *name = as_given ? tsl_asprintf("%.*s", (int)file_len, file)
                          : tsl_asprintf("%.*s/%.*s", (int)dir_len, dir, (int)file_len, file);
    uint32_t offset = tsl_sites_string(&w->sites, name);
    tsl_free(name);
    return offset;
}

// The location of the function, for code of the front end that has none of its own.
void tsl_sites_locate(tsl_weaver *w, tsl_site *site) {
    if (!w->subprogram) {
        size_t len;
        const char *name = LLVMGetSourceFileName(w->module, &len);
        site->file = file_name(w, NULL, 0, name, len);
        return;
    }
    LLVMMetadataRef file = LLVMDIScopeGetFile(w->subprogram);
    unsigned dir_len, file_len;
    const char *dir = LLVMDIFileGetDirectory(file, &dir_len);
    const char *name = LLVMDIFileGetFilename(file, &file_len);
    site->file = file_name(w, dir, dir_len, name, file_len);
    site->line = LLVMDISubprogramGetLine(w->subprogram);
}

uint32_t tsl_sites_add(tsl_weaver *w, LLVMValueRef inst, enum tsl_site_kind kind) {
    tsl_site site = {.func = w->sites.func, .kind = (uint16_t)kind};
    unsigned line = LLVMInstructionGetDebugLoc(inst) ? LLVMGetDebugLocLine(inst) : 0;
    if (line) {
        unsigned dir_len, file_len, column = LLVMGetDebugLocColumn(inst);
        const char *dir = LLVMGetDebugLocDirectory(inst, &dir_len);
        const char *name = LLVMGetDebugLocFilename(inst, &file_len);
        site.file = file_name(w, dir, dir_len, name, file_len);
        site.line = line;
        site.column = column < UINT16_MAX ? (uint16_t)column : UINT16_MAX;
    } else {
        tsl_sites_locate(w, &site);
    }
    tsl_vec_push(&w->sites.table, site);
    return (uint32_t)(w->sites.table.len - 1);
}

// ---------------------------------------------------------------- emitting

LLVMValueRef tsl_sites_emit(tsl_weaver *w) {
    const tsl_sites *s = &w->sites;
    LLVMValueRef table = tsl_llvm_add_bytes(w->module, "__teasel_sites", s->table.data,
                                            s->table.len * sizeof *s->table.data);
    LLVMSetSection(table, "teasel_sites");
    LLVMSetAlignment(table, _Alignof(tsl_site));
    return table;
}

LLVMValueRef tsl_sites_emit_strings(tsl_weaver *w) {
    const tsl_buf *s = &w->sites.strings;
    return tsl_llvm_add_bytes(w->module, "__teasel_strings", s->data, s->len);
}
