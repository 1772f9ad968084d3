// The census: what is under control, and what is not.
//
// Every instrumented object registers its tables from a constructor.  Before main
// the tables are merged into the shared file, and each function that instrumented
// code calls is looked up: instrumented somewhere, known to the runtime, or opaque.
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "census.h"
#include "cover.h"
#include "libc/ranges.h"
#include "print.h"
#include "start.h"
#include "state.h"
#include "sys.h"

// The sections of section.h.
extern const char __start_teasel_text[], __stop_teasel_text[];
extern const char __start_teasel_libc[], __stop_teasel_libc[];

static void classify_late(const tsl_module *module);
static uint32_t tells_uncontrolled(const tsl_extern *e);

// The first call of backtrace loads a library: before main, to have one address in all runs.
static void load_for_backtrace(const tsl_extern *e) {
    void *frame;
    if (tslrt->kind == RT_EARLY && strcmp(e->name, "backtrace") == 0)
        backtrace(&frame, 1);
}

// Does the function give a stream the orientation for wide characters?
static bool is_wide(const char *name) {
    static const char *const names[] = {"fgetwc",    "getwc",    "fgetws",   "fputwc",
                                        "putwc",     "fputws",   "fwprintf", "fwscanf",
                                        "vfwprintf", "vfwscanf", "ungetwc",  "fwide"};
    name += strncmp(name, "__teasel_", 9) == 0 ? 9 : 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

// The program calls one of these functions, which sets a flag of tslrt_uses.
static const struct use {
    size_t flag;
    const char *names[14];
} uses[] = {
    {offsetof(tslrt_uses, cancels), {"pthread_cancel"}},
    {offsetof(tslrt_uses, deletes_keys), {"pthread_key_delete", "tss_delete"}},
    {offsetof(tslrt_uses, detaches), {"pthread_detach", "thrd_detach"}},
    {offsetof(tslrt_uses, ends_threads), {"pthread_exit", "thrd_exit"}},
    {offsetof(tslrt_uses, locks_files), {"flockfile", "ftrylockfile"}},
    {offsetof(tslrt_uses, queues), {"sigqueue", "pthread_sigqueue"}},
    {offsetof(tslrt_uses, kills), {"pthread_kill", "pthread_sigqueue", "tgkill"}},
    {offsetof(tslrt_uses, kills_itself), {"kill", "killpg", "sigqueue"}},
    {offsetof(tslrt_uses, swaps_floating),
     {"fesetround", "fesetenv", "feupdateenv", "feholdexcept", "feraiseexcept", "feclearexcept",
      "fetestexcept", "fesetexceptflag", "fegetexceptflag", "fegetenv", "feenableexcept",
      "fedisableexcept", "fesetexcept", "fesetmode"}},
};

static void note_uses(const char *name) {
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        for (size_t k = 0; k < 14 && uses[i].names[k]; k++)
            if (strcmp(uses[i].names[k], name) == 0)
                ((bool *)&tslrt->uses)[uses[i].flag] = true;
    tslrt->uses.wide |= is_wide(name);
    tslrt->uses.sends |= tslrt->uses.kills || tslrt->uses.kills_itself;
}

__attribute__((visibility("default"))) void __teasel_register(tsl_module *module) {
    tslrt_init();
    if (module->abi != TSL_ABI_VERSION)
        tslrt_die("%s was built by another version of teasel-cc (format %u, this is %u); "
                  "build everything again",
                  module->name, module->abi, TSL_ABI_VERSION);
    *module->site_base = 1 + tslrt->program.nsites; // 0 is "no site"
    tslrt->program.nsites += module->nsites;
    tslrt_cover_register(module);
    module->next = tslrt->program.modules;
    tslrt->program.modules = module;
    for (uint32_t i = 0; i < module->nexterns; i++) {
        note_uses(module->externs[i].name);
        load_for_backtrace(&module->externs[i]);
        module->externs[i].tells = tells_uncontrolled(&module->externs[i]);
    }
    tslrt_functions_add(module);
    if (tslrt->kind != RT_EARLY)
        classify_late(module);
}

// ---------------------------------------------------------------- classes

static const struct uncontrolled {
    const char *name, *note;
} uncontrolled[] = {
#define TSL_UNCONTROLLED(name, note) {name, note},
#include "abi/externs.def"
};

enum { UNCONTROLLED = sizeof uncontrolled / sizeof *uncontrolled };
_Static_assert(UNCONTROLLED <= 64, "a bit for each");

static unsigned uncontrolled_by(const char *name) {
    unsigned i = 0;
    while (i < UNCONTROLLED && strcmp(uncontrolled[i].name, name) != 0)
        i++;
    return i;
}

static void say_uncontrolled(unsigned i, uint32_t site) {
    tslrt_weaken_at(site, TSL_REASON_UNCONTROLLED, "%s (%s)", uncontrolled[i].note,
                    uncontrolled[i].name);
}

// What constructors call is reported later, with the census, because the tool is not attached yet.
void tslrt_calls_uncontrolled(const tsl_extern *e, uint32_t site) {
    unsigned i = uncontrolled_by(e->name);
    if (tslrt->kind == RT_EARLY)
        tslrt->uses.called_early |= 1ull << i;
    else
        say_uncontrolled(i, site);
}

static void say_called_early(void) {
    for (unsigned i = 0; i < UNCONTROLLED; i++)
        if (tslrt->uses.called_early >> i & 1)
            say_uncontrolled(i, 0);
}

bool tslrt_is_runtime(const void *function) {
    const char *code = function;
    return (code >= __start_teasel_text && code < __stop_teasel_text) ||
           (code >= __start_teasel_libc && code < __stop_teasel_libc);
}

static bool is_runtime(const tsl_extern *e) { return tslrt_is_runtime((const void *)e->function); }

// The object that an address lies in; its name is empty for the program itself.
typedef struct lookup {
    uintptr_t address;
    const char *name;
} lookup;

static int lies_in(struct dl_phdr_info *info, size_t size, void *data) {
    lookup *l = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type == PT_LOAD && l->address - info->dlpi_addr - ph->p_vaddr < ph->p_memsz)
            l->name = info->dlpi_name;
    }
    return l->name != NULL;
}

// A library may have a function of its own with a name that libc uses, too.  Addresses inside the
// program count as libc's, because pointers to functions of libc may point to stubs there.
bool tslrt_is_of_libc(const void *function) {
    static const char *const names[] = {"libc.",       "libm.",   "libmvec.", "ld-",
                                        "libpthread.", "libdl.",  "librt.",   "libresolv.",
                                        "libutil.",    "libanl.", "libnsl",   "libcrypt"};
    lookup found = {.address = (uintptr_t)function};
    dl_iterate_phdr(lies_in, &found);
    if (!found.name || !*found.name)
        return true;
    const char *slash = strrchr(found.name, '/'), *name = slash ? slash + 1 : found.name;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

// The row of the table of libc, or NULL if the function is not libc's.
static const tsl_libc *row_of(const tsl_extern *e) {
    const void *function = (const void *)e->function;
    return tslrt_is_instrumented(function) || !tslrt_is_of_libc(function) ? NULL
                                                                          : tsl_libc_find(e->name);
}

static uint32_t classify(const tsl_extern *e, const tsl_libc *row) {
    bool known = is_runtime(e) || tslrt_is_instrumented((const void *)e->function);
    if (known && (!row || row->class_ != TSL_EXTERN_LEAKS))
        return TSL_EXTERN_KNOWN;
    return row ? row->class_ : TSL_EXTERN_OPAQUE;
}

static bool is_quiet(const tsl_extern *e, const tsl_libc *row) {
    if (is_runtime(e))
        return row && (row->flags & TSL_LIBC_QUIET);
    return e->class_ == TSL_EXTERN_PURE; // listed as such, or instrumented
}

// Does the function use a stream?  Then its end must be told, so that other threads can use that.
static bool uses_stream(const tsl_libc *row) {
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        if (tslrt_uses_stream(&row->uses[i]))
            return true;
    return false;
}

// What call sites of the function must tell about memory and state.
static uint32_t tells_of_step(const tsl_extern *e, const tsl_libc *row) {
    enum { BEFORE = TSL_TELLS_BEFORE | TSL_TELLS_STEP };
    if (!row)
        return is_runtime(e) || tslrt_is_instrumented((const void *)e->function) ? 0 : BEFORE;
    bool calls = row->flags & (TSL_LIBC_CANCEL | TSL_LIBC_CALLS_BACK);
    if (row->by == TSL_LIBC_OWN || (!row->uses[0].state && !row->ranges[0].how && !calls))
        return 0;
    bool more = tsl_libc_writes(row) || uses_stream(row) || row->flags & TSL_LIBC_CALLS_BACK;
    return BEFORE | (more ? TSL_TELLS_AFTER : 0u);
}

static uint32_t tells_uncontrolled(const tsl_extern *e) {
    bool is = uncontrolled_by(e->name) < UNCONTROLLED &&
              !tslrt_is_instrumented((const void *)e->function);
    return is ? TSL_TELLS_BEFORE | TSL_TELLS_UNCONTROLLED : 0;
}

// The result may differ from run to run, or depends on a file that an argument names.
static uint32_t tells_world(const tsl_libc *row) {
    return row && ((row->flags & TSL_LIBC_VARIES) || tslrt_names_file(row))
               ? TSL_TELLS_BEFORE | TSL_TELLS_WORLD
               : 0;
}

static void count_opaque(tsl_census *census, const tsl_extern *e) {
    uint32_t i = 0;
    while (i < census->nopaque && strncmp(census->opaque[i].name, e->name, 55) != 0)
        i++;
    if (i == TSL_MAX_OPAQUE)
        return;
    if (i == census->nopaque) {
        census->nopaque++;
        tslrt_format(census->opaque[i].name, sizeof census->opaque[i].name, "%s", e->name);
        census->opaque[i].calls = 0;
    }
    census->opaque[i].calls += e->calls + (e->calls == 0 && e->taken);
    census->opaque[i].class_ = e->class_;
}

static void classify_extern(tsl_extern *e, tsl_census *census) {
    if (e->taken >= TSL_EXTERN_LOADED) {
        tslrt_variable_add(e);
        return;
    }
    const tsl_libc *row = row_of(e);
    e->class_ = classify(e, row);
    e->quiet = is_quiet(e, row);
    e->row = row ? (uint32_t)(row - tsl_libc_rows) + 1 : 0;
    e->tells = tells_of_step(e, row) | tells_uncontrolled(e) | tells_world(row);
    if (row) {
        tslrt_states_add(row);
        if (strcmp(row->name, "syscall") == 0)
            tslrt_raw_states();
        tslrt->memory.moved_from_outside |= (row->flags & TSL_LIBC_FROM_OUTSIDE) != 0;
    }
    if (e->taken)
        TSL_HOT->icall_class |= e->class_;
    if (census && e->class_ && (!row || e->class_ == TSL_EXTERN_LEAKS)) // others have a description
        count_opaque(census, e);
}

static void classify_module(const tsl_module *m, tsl_census *census) {
    for (uint32_t i = 0; i < m->nexterns; i++)
        classify_extern(&m->externs[i], census);
}

static void classify_externs(tsl_census *census) {
    TSL_HOT->icall_class = 0;
    tslrt_constants_find();
    for (const tsl_module *m = tslrt->program.modules; m; m = m->next)
        classify_module(m, census);
}

// A library that is loaded while the program runs.
static void classify_late(const tsl_module *module) {
    bool served = tslrt->kind == RT_SERVED;
    tslrt_constants_find();
    classify_module(module, served ? &tslrt->wire->census : NULL);
    if (served)
        tslrt_say("%s was loaded while running: its places have no names", module->name);
}

// ---------------------------------------------------------------- sites

// All modules' sites in one table, in registration order, with one string area.
static void copy_sites(tsl_wire *wire) {
    tsl_site *sites = (tsl_site *)((char *)wire + wire->sites_offset);
    uint64_t strings_at = sizeof(tsl_site) * (tslrt->program.nsites + 1ul);
    char *strings = (char *)sites + strings_at;
    uint64_t used = 1;
    if (strings_at + 1 > wire->sites_size) {
        tslrt_say("too many places to name: reports will lack file and line");
        return;
    }
    strings[0] = 0;
    for (const tsl_module *m = tslrt->program.modules; m; m = m->next) {
        if (strings_at + used + m->nstrings > wire->sites_size) {
            tslrt_say("too many names: some reports will lack file and line");
            continue;
        }
        memcpy(strings + used, m->strings, m->nstrings);
        for (uint32_t i = 0; i < m->nsites; i++) {
            tsl_site site = m->sites[i];
            site.file += (uint32_t)used;
            site.func += (uint32_t)used;
            sites[*m->site_base + i] = site;
        }
        tslrt_cover_publish(wire, m, (uint32_t)used);
        used += m->nstrings;
    }
    wire->nsites = tslrt->program.nsites + 1;
    wire->nstrings = (uint32_t)used;
}

// ---------------------------------------------------------------- mapped files

static int add_mapped(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    tsl_census *census = data;
    if (census->nmapped >= TSL_MAX_MODULES_MAPPED)
        return 0;
    tsl_mapped *mapped = &census->mapped[census->nmapped];
    mapped->base = UINT64_MAX;
    mapped->end = 0;
    mapped->load = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD)
            continue;
        uint64_t low = info->dlpi_addr + ph->p_vaddr, high = low + ph->p_memsz;
        mapped->base = low < mapped->base ? low : mapped->base;
        mapped->end = high > mapped->end ? high : mapped->end;
    }
    const char *name = info->dlpi_name;
    if (!name || !*name) {
        long n = tslrt_sys4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", mapped->path,
                            sizeof mapped->path - 1);
        mapped->path[n > 0 ? n : 0] = 0;
    } else
        tslrt_format(mapped->path, sizeof mapped->path, "%s", name);
    census->nmapped++;
    return 0;
}

void tslrt_census(void) {
    tslrt->libraries.loaded = tslrt_libraries_loaded();
    if (tslrt->kind != RT_SERVED) {
        classify_externs(NULL);
        return;
    }
    tsl_census *census = &tslrt->wire->census;
    for (const tsl_module *m = tslrt->program.modules; m; m = m->next) {
        census->objects++;
        census->functions += m->nfunctions;
        census->sites += m->nsites;
        census->accesses += m->naccesses;
        census->atomics += m->natomics;
        census->asm_blocks += m->nasm;
        census->indirect_calls += m->nicalls;
    }
    classify_externs(census);
    say_called_early();
    copy_sites(tslrt->wire);
    dl_iterate_phdr(add_mapped, census);
}

void tslrt_weaken_at(uint32_t site, enum tsl_reason reason, const char *fmt, ...) {
    if (tslrt->kind != RT_SERVED)
        return;
    if (site == TSLRT_HERE)
        site = SELF ? SELF->pend.site : 0;
    tsl_census *census = &tslrt->wire->census;
    tsl_note note = {.site = site, .reason = reason};
    if (reason != TSL_REASON_NONE)
        census->weakened |= 1ull << reason;
    va_list args;
    va_start(args, fmt);
    tslrt_vformat(note.text, sizeof note.text, fmt, args);
    va_end(args);
    uint32_t n = census->nnotes < TSL_MAX_NOTES ? census->nnotes : TSL_MAX_NOTES;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(census->notes[i].text, note.text) == 0)
            return;
    if (n < TSL_MAX_NOTES) {
        census->notes[n] = note;
        census->nnotes = n + 1;
    }
}
