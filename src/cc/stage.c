// Builds the commands of the stages; see stage.h.
#include "cc/stage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cc/command.h"

static void add_stage_flags(const tsl_cc_args *a, unsigned stage, tsl_cc_words *out) {
    for (size_t i = 0; i < a->args.len; i++) {
        const tsl_cc_arg *arg = &a->args.data[i];
        if (arg->input >= 0 || !(arg->stages & stage))
            continue;
        tsl_command_add(out, arg->text, arg->value, NULL);
    }
}

static void add_input(const tsl_cc_input *input, tsl_cc_words *out) {
    if (input->language)
        tsl_command_add(out, "-x", input->language, NULL);
    tsl_vec_push(out, input->path);
}

// Our include folders come after the user's, so that the user's win.
static void add_macros(const tsl_support *s, tsl_cc_words *out) {
    tsl_command_add(out, "-D__TEASEL__=1", "-U_FORTIFY_SOURCE", "-fno-exceptions", "-idirafter",
                    s->include, "-idirafter", s->others, NULL);
}

// ---------------------------------------------------------------- names

static const char *with_extension(const char *path, const char *extension) {
    const char *dot = strrchr(tsl_file_base(path), '.');
    size_t len = dot ? (size_t)(dot - path) : strlen(path);
    return tsl_asprintf("%.*s.%s", (int)len, path, extension);
}

const char *tsl_stage_output_name(const char *path, const char *extension) {
    return with_extension(tsl_file_base(path), extension);
}

// Without these flags clang would name the temporary bitcode in the dependency file.
static void add_dependencies(const tsl_cc_args *a, const tsl_cc_unit *u, tsl_cc_words *out) {
    if (!a->deps)
        return;
    if (!a->deps_target)
        tsl_command_add(out, "-MQ",
                        a->output ? a->output : tsl_stage_output_name(u->input->path, "o"), NULL);
    if (!a->deps_file)
        tsl_command_add(out, "-MF",
                        a->output ? with_extension(a->output, "d")
                                  : tsl_stage_output_name(u->input->path, "d"),
                        NULL);
}

// The same is true of gcov's files, which the program may write from any folder: absolute names.
static void add_coverage(const tsl_cc_args *a, const tsl_cc_unit *u, tsl_cc_words *out) {
    if (!a->coverage)
        return;
    const char *object =
        a->mode == TSL_CC_MODE_LINK ? tsl_stage_output_name(u->input->path, "o") : u->object;
    char *cwd = object[0] == '/' ? NULL : getcwd(NULL, 0);
    char *path = cwd ? tsl_asprintf("%s/%s", cwd, object) : tsl_strdup(object);
    tsl_command_add(
        out, "-Xclang", tsl_asprintf("-coverage-notes-file=%s", with_extension(path, "gcno")),
        "-Xclang", tsl_asprintf("-coverage-data-file=%s", with_extension(path, "gcda")), NULL);
    free(cwd);
    tsl_free(path);
}

// ---------------------------------------------------------------- compiling

// No pass may run, because the accesses of the source must still be there.  -O is passed only for
// its effects on the front end (__OPTIMIZE__, lifetimes, ...).
static void add_optimisation(const tsl_cc_args *a, tsl_cc_words *out) {
    if (a->opt && strcmp(a->opt, "-O0") != 0)
        tsl_vec_push(out, a->opt);
    else
        tsl_command_add(out, "-O0", "-Xclang", "-disable-O0-optnone", NULL);
    tsl_command_add(out, "-Xclang", "-disable-llvm-passes", NULL);
}

void tsl_stage_front(const tsl_cc_args *a, const tsl_support *s, const tsl_cc_unit *u,
                     tsl_cc_words *out) {
    tsl_vec_push(out, s->clang);
    add_stage_flags(a, TSL_CC_FRONT, out);
    if (!a->debug)
        tsl_vec_push(out, "-g");
    tsl_vec_push(out, "-fno-omit-frame-pointer");
    add_macros(s, out);
    add_optimisation(a, out);
    if (a->mode == TSL_CC_MODE_LINK) // flags for the linker are used later
        tsl_vec_push(out, "-Qunused-arguments");
    add_dependencies(a, u, out);
    add_coverage(a, u, out);
    add_input(u->input, out);
    tsl_command_add(out, "-emit-llvm", "-c", "-o", u->bitcode, NULL);
}

// -fno-builtin: calls of malloc and so on must stay, even where the optimiser could remove them.
void tsl_stage_back(const tsl_cc_args *a, const tsl_support *s, const tsl_cc_unit *u,
                    tsl_cc_words *out) {
    tsl_vec_push(out, s->clang);
    add_stage_flags(a, TSL_CC_BACK, out);
    tsl_command_add(out, "-O2", "-g", "-fno-builtin", "-femulated-tls", "-fno-omit-frame-pointer",
                    "-Qunused-arguments", "-Wno-override-module", "-x", "ir", u->instrumented,
                    a->mode == TSL_CC_MODE_ASSEMBLY ? "-S" : "-c", "-o", u->object, NULL);
}

void tsl_stage_assemble(const tsl_cc_args *a, const tsl_support *s, const tsl_cc_unit *u,
                        tsl_cc_words *out) {
    tsl_vec_push(out, s->clang);
    add_stage_flags(a, TSL_CC_COMPILE, out);
    add_macros(s, out);
    tsl_vec_push(out, "-Qunused-arguments");
    add_dependencies(a, u, out);
    add_input(u->input, out);
    tsl_command_add(out, a->mode == TSL_CC_MODE_ASSEMBLY ? "-S" : "-c", "-o", u->object, NULL);
}

// ---------------------------------------------------------------- linking

// Shared libraries and plugins find the hooks in the program.  The linker exports by itself what
// libc also defines (pthread_*, malloc, ...).
static void add_exports(const tsl_cc_args *a, tsl_cc_words *out) {
    static const char *const names[] = {"__teasel_*", "teasel_*", "__emutls_get_address",
                                        "__atomic_*"};
    if (a->linker && strstr(a->linker, "gold")) { // gold has no such option
        tsl_vec_push(out, "-rdynamic");
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        tsl_vec_push(out, tsl_asprintf("-Wl,--export-dynamic-symbol=%s", names[i]));
}

static void add_runtime(const tsl_cc_args *a, const tsl_support *s, tsl_cc_words *out) {
    if (a->is_relocatable || a->no_runtime)
        return;
    // Calls are bound at start: a restart would forget lazily bound calls, and the resolver does
    // not preserve the registers that slow paths promise to preserve.
    tsl_vec_push(out, "-Wl,-z,now");
    if (a->is_shared) {
        tsl_vec_push(out, "-Wl,-z,undefs"); // the program that loads it has the hooks
        return;
    }
    tsl_command_add(out, "-Wl,--whole-archive", s->runtime, "-Wl,--no-whole-archive", NULL);
    add_exports(a, out);
    tsl_vec_push(out, "-ldl");
}

void tsl_stage_link(const tsl_cc_args *a, const tsl_support *s, const char *const *objects,
                    tsl_cc_words *out) {
    tsl_command_add(out, s->clang, "-Qunused-arguments", NULL);
    for (size_t i = 0; i < a->args.len; i++) {
        const tsl_cc_arg *arg = &a->args.data[i];
        if (arg->input >= 0)
            tsl_vec_push(out, objects[arg->input]);
        else if (arg->stages & TSL_CC_LINK)
            tsl_command_add(out, arg->text, arg->value, NULL);
    }
    add_runtime(a, s, out);
    if (a->output)
        tsl_command_add(out, "-o", a->output, NULL);
}

// ---------------------------------------------------------------- straight

void tsl_stage_straight(const tsl_cc_args *a, const tsl_support *s, bool with_macros,
                        tsl_cc_words *out) {
    size_t i = 0;
    tsl_vec_push(out, s->clang);
    for (; i < a->words.len && strcmp(a->words.data[i], "--") != 0; i++)
        tsl_vec_push(out, a->words.data[i]);
    if (with_macros)
        add_macros(s, out);
    for (; i < a->words.len; i++)
        tsl_vec_push(out, a->words.data[i]);
}
