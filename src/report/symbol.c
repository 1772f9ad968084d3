// Finds names for addresses; see symbol.h.  Only this file and variable.c use elfutils.
#include "report/symbol.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/map.h"
#include "report/variable.h"

enum { MOST_FRAMES = 16 }; // frames at one address

// What was found at an address.  It is kept because libdw goes through all symbols and functions
// each time, and reports ask for the same addresses again and again.
typedef struct found {
    size_t first, count; // of `frames`
} found;

struct tsl_symbols {
    Dwfl *dwfl; // NULL when nothing could be opened
    Dwfl_Callbacks callbacks;
    tsl_variables variables;
    tsl_map code, data; // by address: 1 + index into `codes`, into `names`
    TSL_VEC(found) codes;
    TSL_VEC(tsl_frame) frames;
    tsl_texts names; // NULL: the address has no name
    bool hurried;
};

// ---------------------------------------------------------------- opening

static int no_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                  char **file_name, Elf **elf) {
    (void)module, (void)user, (void)name, (void)base, (void)file_name, (void)elf;
    return -1; // every module was reported with its file
}

// Uses debug files of the system, but no server: a report must not wait for the network.
static int find_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                           const char *file_name, const char *link_file, GElf_Word link_crc,
                           char **debug_file) {
    const char *servers = getenv("DEBUGINFOD_URLS");
    if (servers && *servers)
        return dwfl_build_id_find_debuginfo(module, user, name, base, file_name, link_file,
                                            link_crc, debug_file);
    return dwfl_standard_find_debuginfo(module, user, name, base, file_name, link_file, link_crc,
                                        debug_file);
}

// Should the file be opened?  A module has a record per mapping, and "[vdso]" is not a file.
static bool worth_opening(const tsl_mapped *mapped, size_t i) {
    const tsl_mapped *m = &mapped[i];
    struct stat st;
    if (!m->path[0] || strnlen(m->path, sizeof m->path) == sizeof m->path)
        return false;
    for (size_t j = 0; j < i; j++)
        if (mapped[j].load == m->load && strcmp(mapped[j].path, m->path) == 0)
            return false;
    return stat(m->path, &st) == 0 && S_ISREG(st.st_mode);
}

tsl_symbols *tsl_symbols_new(const tsl_mapped *mapped, size_t count) {
    tsl_symbols *symbols = tsl_alloc(sizeof *symbols);
    symbols->callbacks = (Dwfl_Callbacks){
        .find_elf = no_elf,
        .find_debuginfo = find_debug_file,
        .section_address = dwfl_offline_section_address,
    };
    symbols->dwfl = dwfl_begin(&symbols->callbacks);
    if (!symbols->dwfl)
        return symbols;
    dwfl_report_begin(symbols->dwfl);
    for (size_t i = 0; i < count; i++)
        if (worth_opening(mapped, i)) // a file that is not ELF has no names
            dwfl_report_elf(symbols->dwfl, mapped[i].path, mapped[i].path, -1, mapped[i].load,
                            true);
    dwfl_report_end(symbols->dwfl, NULL, NULL);
    return symbols;
}

void tsl_symbols_free(tsl_symbols *symbols) {
    if (!symbols)
        return;
    tsl_variables_drop(&symbols->variables);
    tsl_texts_drop(&symbols->names);
    tsl_vec_drop(&symbols->frames);
    tsl_vec_drop(&symbols->codes);
    tsl_map_drop(&symbols->code);
    tsl_map_drop(&symbols->data);
    if (symbols->dwfl)
        dwfl_end(symbols->dwfl);
    tsl_free(symbols);
}

void tsl_symbols_hurry(tsl_symbols *symbols) {
    if (symbols)
        symbols->hurried = true;
}

static Dwfl_Module *module_at(tsl_symbols *symbols, uint64_t addr) {
    bool looks = symbols && symbols->dwfl && !symbols->hurried;
    return looks ? dwfl_addrmodule(symbols->dwfl, addr) : NULL;
}

// ---------------------------------------------------------------- code

static bool is_function(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram ||
           tag == DW_TAG_entry_point;
}

// The value of an attribute that is a small number; 0 if it is missing.
static unsigned attribute(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attr;
    Dwarf_Word value = 0;
    if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value) != 0)
        return 0;
    return value <= INT32_MAX ? (unsigned)value : 0;
}

static const char *call_file(Dwarf_Die *cu, Dwarf_Die *die) {
    Dwarf_Files *files;
    size_t count;
    Dwarf_Attribute attr;
    Dwarf_Word index;
    if (!dwarf_attr(die, DW_AT_call_file, &attr) || dwarf_formudata(&attr, &index) != 0)
        return NULL;
    if (dwarf_getsrcfiles(cu, &files, &count) != 0 || index >= count)
        return NULL;
    return dwarf_filesrc(files, index, NULL, NULL);
}

// The scopes around an address, innermost first, as the code is nested.  From an inlined function
// dwarf_getscopes goes on to the scopes of its definition, so the scopes are found a second time,
// from the innermost one.
static int scopes_at(Dwfl_Module *module, Dwarf_Die *cu, Dwarf_Addr addr, Dwarf_Die **scopes) {
    Dwarf_Addr bias;
    Dwarf_Die inner;
    int count = dwarf_getscopes(cu, addr, scopes);
    if (count <= 0)
        return 0;
    Dwarf_Off offset = dwarf_dieoffset(&(*scopes)[0]);
    free(*scopes);
    *scopes = NULL;
    if (!dwarf_offdie(dwfl_module_getdwarf(module, &bias), offset, &inner))
        return 0;
    count = dwarf_getscopes_die(&inner, scopes);
    return count > 0 ? count : 0;
}

// The compilation unit of an address, and the address in its file.  clang writes no table of ranges
// by address; if there is none, all units are searched.
static Dwarf_Die *unit_at(Dwfl_Module *module, uint64_t at, Dwarf_Addr *in_file) {
    Dwarf_Addr bias = 0;
    Dwarf_Die *cu = dwfl_module_addrdie(module, at, &bias);
    if (!cu)
        while ((cu = dwfl_module_nextcu(module, cu, &bias)))
            if (dwarf_haspc(cu, at - bias) > 0)
                break;
    *in_file = at - bias;
    return cu;
}

static void fill_line(Dwarf_Die *cu, Dwarf_Addr addr, tsl_frame *frame) {
    Dwarf_Line *line = dwarf_getsrc_die(cu, addr);
    if (!line)
        return;
    frame->file = dwarf_linesrc(line, NULL, NULL);
    dwarf_lineno(line, &frame->line);
    dwarf_linecol(line, &frame->column);
}

// Finds frames in debug information.  `frame` starts with what the symbol table knows; each inlined
// function that is found moves it to the place of the inlined call.
static size_t expand(Dwfl_Module *module, uint64_t at, tsl_frame *frame, tsl_frame *out,
                     size_t max) {
    Dwarf_Addr addr;
    Dwarf_Die *cu = unit_at(module, at, &addr);
    if (!cu)
        return 0;
    fill_line(cu, addr, frame);
    Dwarf_Die *scopes = NULL;
    int count = scopes_at(module, cu, addr, &scopes);
    size_t n = 0;
    for (int i = 0; i < count && n < max; i++) {
        if (!is_function(&scopes[i]))
            continue;
        frame->inlined = dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine;
        const char *name = dwarf_diename(&scopes[i]);
        if (name)
            frame->function = name;
        out[n++] = *frame;
        if (!frame->inlined)
            break;
        frame->file = call_file(cu, &scopes[i]);
        frame->line = (int)attribute(&scopes[i], DW_AT_call_line);
        frame->column = (int)attribute(&scopes[i], DW_AT_call_column);
    }
    free(scopes);
    return n;
}

static size_t look_up(tsl_symbols *symbols, uint64_t pc, tsl_frame *out, size_t max) {
    uint64_t at = pc ? pc - 1 : 0;
    tsl_frame frame = {.pc = pc};
    Dwfl_Module *module = module_at(symbols, at);
    if (module) {
        GElf_Off offset = 0;
        GElf_Sym sym;
        GElf_Addr start = 0;
        frame.module = dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
        frame.function = dwfl_module_addrinfo(module, at, &offset, &sym, NULL, NULL, NULL);
        frame.offset = (frame.function ? offset : at - start) + 1;
        size_t n = expand(module, at, &frame, out, max);
        if (n)
            return n;
    }
    out[0] = frame;
    return 1;
}

size_t tsl_symbols_pc(tsl_symbols *symbols, uint64_t pc, tsl_frame *out, size_t max) {
    tsl_frame frames[MOST_FRAMES];
    const uint64_t *known = symbols ? tsl_map_get(&symbols->code, pc) : NULL;
    if (!symbols || (symbols->hurried && !known))
        return look_up(symbols, pc, out, max);
    if (!known) {
        found f = {symbols->frames.len, look_up(symbols, pc, frames, MOST_FRAMES)};
        for (size_t i = 0; i < f.count; i++)
            tsl_vec_push(&symbols->frames, frames[i]);
        tsl_vec_push(&symbols->codes, f);
        *tsl_map_put(&symbols->code, pc, NULL) = symbols->codes.len;
        known = tsl_map_get(&symbols->code, pc);
    }
    const found *f = &symbols->codes.data[*known - 1];
    size_t n = f->count < max ? f->count : max;
    memcpy(out, &symbols->frames.data[f->first], n * sizeof *out);
    return n;
}

// ---------------------------------------------------------------- data

static bool look_up_data(tsl_symbols *symbols, uint64_t addr, tsl_buf *out) {
    Dwfl_Module *module = module_at(symbols, addr);
    GElf_Off offset = 0;
    GElf_Sym sym;
    if (!module)
        return false;
    const char *name = dwfl_module_addrinfo(module, addr, &offset, &sym, NULL, NULL, NULL);
    // A symbol without a size would also match addresses far after it.
    if (!name || !*name || (offset && offset >= sym.st_size))
        return false;
    if (tsl_variables_part(&symbols->variables, module, addr, out))
        return true;
    if (offset)
        tsl_buf_add(out, "`%s`+%llu", name, (unsigned long long)offset);
    else
        tsl_buf_add(out, "`%s`", name);
    return true;
}

bool tsl_symbols_data(tsl_symbols *symbols, uint64_t addr, tsl_buf *out) {
    const uint64_t *known = symbols ? tsl_map_get(&symbols->data, addr) : NULL;
    if (!symbols || (symbols->hurried && !known))
        return false;
    if (!known) {
        tsl_buf text = {0};
        bool is = look_up_data(symbols, addr, &text);
        tsl_vec_push(&symbols->names, is ? tsl_strdup(tsl_buf_text(&text)) : NULL);
        tsl_buf_drop(&text);
        *tsl_map_put(&symbols->data, addr, NULL) = symbols->names.len;
        known = tsl_map_get(&symbols->data, addr);
    }
    const char *name = symbols->names.data[*known - 1];
    if (name)
        tsl_buf_puts(out, name);
    return name != NULL;
}

const char *tsl_symbols_function(tsl_symbols *symbols, uint64_t addr) {
    Dwfl_Module *module = module_at(symbols, addr);
    const char *name = module ? dwfl_module_addrname(module, addr) : NULL;
    return name && *name ? name : NULL;
}
