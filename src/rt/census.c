// The census: what is under control, and what is not.
//
// Every instrumented object registers its tables from a constructor.  Before main
// the tables are merged into the shared file, and each function that instrumented
// code calls is looked up: instrumented somewhere, known to the runtime, or opaque.
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "rt.h"
#include "sys.h"

extern const char __start_teasel_text[], __stop_teasel_text[];

__attribute__((visibility("default"))) void __teasel_register(tsl_module *module) {
    if (!tslrt_mapped)
        tslrt_init();
    if (module->abi != TSL_ABI_VERSION)
        tslrt_die("%s was built by another version of teasel-cc (format %u, this is %u); "
                  "build everything again",
                  module->name, module->abi, TSL_ABI_VERSION);
    *module->site_base = 1 + tslrt->nsites; // 0 is "no site"
    tslrt->nsites += module->nsites;
    tslrt_cover_register(module);
    module->next = tslrt->modules;
    tslrt->modules = module;
    for (uint32_t i = 0; i < module->nexterns; i++)
        tslrt->cancels |= strcmp(module->externs[i].name, "pthread_cancel") == 0;
    if (tslrt->kind == RT_SERVED)
        tslrt_say("%s was loaded while running: its places have no names", module->name);
}

// ---------------------------------------------------------------- classes

static const struct known {
    const char *name;
    uint32_t class_;
} known_externs[] = {
#define TSL_KNOWN_EXTERN(name, class_) {name, TSL_EXTERN_##class_},
#include "abi/externs.def"
};

static const struct uncontrolled {
    const char *name, *note;
} uncontrolled[] = {
#define TSL_UNCONTROLLED(name, note) {name, note},
#include "abi/externs.def"
};

static void say_uncontrolled(const tsl_extern *e) {
    for (size_t i = 0; i < sizeof uncontrolled / sizeof *uncontrolled; i++)
        if (strcmp(uncontrolled[i].name, e->name) == 0)
            tslrt_weaken(TSL_REASON_UNCONTROLLED, "%s (%s)", uncontrolled[i].note, e->name);
}

static bool is_runtime(const tsl_extern *e) {
    const char *f = (const char *)e->function;
    return f >= __start_teasel_text && f < __stop_teasel_text;
}

static bool is_instrumented(const tsl_extern *e) {
    for (const tsl_module *m = tslrt->modules; m; m = m->next)
        for (uint32_t i = 0; i < m->nfunctions; i++)
            if (m->functions[i] == e->function)
                return true;
    return false;
}

static uint32_t classify(const tsl_extern *e) {
    for (size_t i = 0; i < sizeof known_externs / sizeof *known_externs; i++)
        if (strcmp(known_externs[i].name, e->name) == 0)
            return known_externs[i].class_;
    return is_runtime(e) || is_instrumented(e) ? TSL_EXTERN_KNOWN : TSL_EXTERN_OPAQUE;
}

static const char *const quiet[] = {
#define TSL_QUIET(name) name,
#include "abi/externs.def"
};

static bool is_quiet(const tsl_extern *e) {
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (strcmp(quiet[i], e->name) == 0)
            return is_runtime(e);
    return e->class_ == TSL_EXTERN_PURE && !is_runtime(e); // listed as such, or instrumented
}

static bool is_from_outside(const tsl_extern *e) {
    static const char *const names[] = {
#define TSL_FROM_OUTSIDE(name) name,
#include "abi/externs.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], e->name) == 0)
            return true;
    return false;
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

static void classify_externs(tsl_census *census) {
    TSL_HOT->icall_class = 0;
    for (tsl_module *m = tslrt->modules; m; m = m->next)
        for (uint32_t i = 0; i < m->nexterns; i++) {
            tsl_extern *e = &m->externs[i];
            e->class_ = classify(e);
            e->quiet = is_quiet(e);
            tslrt->moved_from_outside |= is_from_outside(e);
            if (e->taken)
                TSL_HOT->icall_class |= e->class_;
            if (e->class_ && census)
                count_opaque(census, e);
            say_uncontrolled(e);
        }
}

// ---------------------------------------------------------------- sites

// All modules' sites in one table, in registration order, with one string area.
static void copy_sites(tsl_wire *wire) {
    tsl_site *sites = (tsl_site *)((char *)wire + wire->sites_offset);
    uint64_t strings_at = sizeof(tsl_site) * (tslrt->nsites + 1ul);
    char *strings = (char *)sites + strings_at;
    uint64_t used = 1;
    if (strings_at + 1 > wire->sites_size) {
        tslrt_say("too many places to name: reports will lack file and line");
        return;
    }
    strings[0] = 0;
    for (const tsl_module *m = tslrt->modules; m; m = m->next) {
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
    wire->nsites = tslrt->nsites + 1;
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
    if (tslrt->kind != RT_SERVED) {
        classify_externs(NULL);
        return;
    }
    tsl_census *census = &tslrt->wire->census;
    for (const tsl_module *m = tslrt->modules; m; m = m->next) {
        census->objects++;
        census->functions += m->nfunctions;
        census->sites += m->nsites;
        census->accesses += m->naccesses;
        census->atomics += m->natomics;
        census->asm_blocks += m->nasm;
        census->indirect_calls += m->nicalls;
    }
    classify_externs(census);
    copy_sites(tslrt->wire);
    dl_iterate_phdr(add_mapped, census);
}

static void say(uint32_t site, enum tsl_reason reason, const char *fmt, va_list args) {
    if (tslrt->kind != RT_SERVED)
        return;
    tsl_census *census = &tslrt->wire->census;
    tsl_note note = {.site = site, .reason = reason};
    if (reason != TSL_REASON_NONE)
        census->weakened |= 1ull << reason;
    tslrt_vformat(note.text, sizeof note.text, fmt, args);
    uint32_t n = census->nnotes < TSL_MAX_NOTES ? census->nnotes : TSL_MAX_NOTES;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(census->notes[i].text, note.text) == 0)
            return;
    if (n < TSL_MAX_NOTES) {
        census->notes[n] = note;
        census->nnotes = n + 1;
    }
}

void tslrt_say(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    say(SELF ? SELF->pend.site : 0, TSL_REASON_NONE, fmt, args);
    va_end(args);
}

void tslrt_say_at(uint32_t site, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    say(site, TSL_REASON_NONE, fmt, args);
    va_end(args);
}

void tslrt_weaken(enum tsl_reason reason, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    say(SELF ? SELF->pend.site : 0, reason, fmt, args);
    va_end(args);
}
