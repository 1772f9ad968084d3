// Runs the stages; see pipeline.h.
#include "cc/pipeline.h"

#include <llvm-c/BitWriter.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/cleanup.h"
#include "cc/command.h"
#include "cc/fastpath.h"
#include "cc/instrument.h"
#include "cc/relax.h"
#include "cc/stage.h"

typedef struct pipeline {
    const tsl_cc_args *args;
    const tsl_support *support;
    tsl_buf *out;
    int status; // the first exit status of clang that is not 0
} pipeline;

// ---------------------------------------------------------------- one command

static bool run(pipeline *p, tsl_cc_words *command, tsl_err *err) {
    int status = 0;
    bool ok = true;
    if (p->args->print_command)
        tsl_command_print(command, p->out);
    else
        ok = tsl_command_run(command, &status, err);
    if (!p->status)
        p->status = status;
    tsl_vec_drop(command);
    return ok && status == 0;
}

// ---------------------------------------------------------------- inside teasel-cc

static void dump(LLVMModuleRef module, tsl_buf *out) {
    char *text = LLVMPrintModuleToString(module);
    tsl_buf_puts(out, text);
    LLVMDisposeMessage(text);
}

// The stages on a module in memory, in order; stops after the one to be dumped.
static bool transform(LLVMModuleRef module, enum tsl_cc_dump until, const char *hooks,
                      tsl_err *err) {
    char *cwd = getcwd(NULL, 0);
    bool ok = true;
    if (ok && until != TSL_CC_DUMP_FRONTEND) {
        tsl_lines_note(module);
        ok = tsl_relax_promote(module, err);
    }
    if (ok && until != TSL_CC_DUMP_FRONTEND && until != TSL_CC_DUMP_PROMOTE)
        ok = tsl_instrument(module, cwd ? cwd : "", err);
    if (ok && (until == TSL_CC_DUMP_NONE || until == TSL_CC_DUMP_LINK))
        ok = tsl_fastpath_link(module, hooks, err);
    free(cwd);
    return ok;
}

static bool instrument_file(pipeline *p, const char *in, const char *out, tsl_err *err) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    enum tsl_cc_dump until = p->args->dump;
    bool ok = tsl_module_read(context, in, &module, err) &&
              transform(module, until, p->support->hooks, err);
    if (ok && until != TSL_CC_DUMP_NONE)
        dump(module, p->out);
    else if (ok && LLVMWriteBitcodeToFile(module, out))
        ok = tsl_fail(err, TSL_EIO, "write %s failed", out);
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return ok;
}

static bool instrument(pipeline *p, const tsl_cc_unit *u, tsl_err *err) {
    if (!p->args->print_command)
        return instrument_file(p, u->bitcode, u->instrumented, err);
    tsl_cc_words command = {0};
    tsl_vec_push(&command, p->support->self);
    if (p->args->target)
        tsl_command_add(&command, "-target", p->args->target, NULL);
    tsl_command_add(&command, "--instrument", u->bitcode, u->instrumented, NULL);
    return run(p, &command, err);
}

// ---------------------------------------------------------------- one source

static bool compile(pipeline *p, const tsl_cc_unit *u, tsl_err *err) {
    tsl_cc_words command = {0};
    if (u->input->kind == TSL_CC_INPUT_ASM) {
        tsl_stage_assemble(p->args, p->support, u, &command);
        return run(p, &command, err);
    }
    tsl_stage_front(p->args, p->support, u, &command);
    if (!run(p, &command, err) || !instrument(p, u, err))
        return false;
    if (p->args->dump != TSL_CC_DUMP_NONE)
        return true;
    tsl_stage_back(p->args, p->support, u, &command);
    return run(p, &command, err);
}

static const char *temporary(const char *source, size_t i, const char *extension) {
    char *suffix = tsl_asprintf("%zu.%s", i, extension);
    const char *name = tsl_stage_output_name(strcmp(source, "-") ? source : "stdin", suffix);
    tsl_free(suffix);
    return tsl_cleanup_file(name);
}

static const char *object_name(const tsl_cc_args *a, const char *source, size_t i) {
    bool text = a->mode == TSL_CC_MODE_ASSEMBLY;
    if (a->mode == TSL_CC_MODE_LINK)
        return temporary(source, i, "o");
    if (a->output)
        return a->output;
    return tsl_stage_output_name(source, a->emit_llvm ? (text ? "ll" : "bc") : text ? "s" : "o");
}

static bool compile_input(pipeline *p, size_t i, const char **object, tsl_err *err) {
    const tsl_cc_input *input = &p->args->inputs.data[i];
    if (input->kind == TSL_CC_INPUT_OBJECT) {
        *object = input->path;
        return true;
    }
    tsl_cc_unit u = {.input = input,
                     .bitcode = temporary(input->path, i, "bc"),
                     .instrumented = temporary(input->path, i, "hooks.bc"),
                     .object = object_name(p->args, input->path, i)};
    *object = u.object;
    return compile(p, &u, err);
}

// ---------------------------------------------------------------- all of them

static bool check(const tsl_cc_args *a, const tsl_support *s, tsl_err *err) {
    bool sources = false;
    for (size_t i = 0; i < a->inputs.len; i++) {
        sources |= a->inputs.data[i].kind == TSL_CC_INPUT_C;
        if (a->inputs.data[i].kind == TSL_CC_INPUT_FOREIGN)
            return tsl_fail(err, TSL_EUSAGE, "%s: only C can be compiled, not C++ and the like",
                            a->inputs.data[i].path);
    }
    if (a->refused)
        return tsl_fail(err, TSL_EUSAGE, "%s", a->refused);
    if (a->mode == TSL_CC_MODE_LINK && a->is_static)
        return tsl_fail(err, TSL_EUSAGE,
                        "-static is not supported: the runtime takes the place "
                        "of parts of the shared libc; link dynamically");
    if (!a->print_command && sources && access(s->hooks, R_OK) != 0)
        return tsl_fail(err, TSL_EIO, "%s is missing: build or install all of Teasel (make)",
                        s->hooks);
    return true;
}

static bool needs_link(const pipeline *p) {
    return p->args->mode == TSL_CC_MODE_LINK && p->status == 0 && p->args->dump == TSL_CC_DUMP_NONE;
}

// Like clang, compiles all sources even if one of them fails.
static bool compile_and_link(pipeline *p, tsl_err *err) {
    size_t n = p->args->inputs.len;
    const char **objects = tsl_alloc_array(n, sizeof *objects);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = compile_input(p, i, &objects[i], err) || p->status != 0;
    if (ok && needs_link(p)) {
        tsl_cc_words command = {0};
        tsl_stage_link(p->args, p->support, objects, &command);
        ok = run(p, &command, err) || p->status != 0;
    }
    tsl_free(objects);
    return ok && err->code == TSL_EOK;
}

// Have several outputs one name, or is a file missing?  clang reports that before it compiles.
static bool is_hopeless(const tsl_cc_args *a) {
    size_t sources = 0;
    bool missing = false;
    for (size_t i = 0; i < a->inputs.len; i++) {
        const tsl_cc_input *input = &a->inputs.data[i];
        sources += input->kind != TSL_CC_INPUT_OBJECT;
        missing |= strcmp(input->path, "-") != 0 && access(input->path, F_OK) != 0;
    }
    return missing || (a->output && sources > 1 && a->mode != TSL_CC_MODE_LINK);
}

bool tsl_pipeline_run(const tsl_cc_args *args, const tsl_support *support, tsl_buf *out,
                      int *status, tsl_err *err) {
    pipeline p = {.args = args, .support = support, .out = out};
    bool ok;
    if (args->instrument_in) {
        ok = instrument_file(&p, args->instrument_in, args->instrument_out, err);
    } else if (args->mode >= TSL_CC_MODE_PREPROCESS || is_hopeless(args)) {
        tsl_cc_words command = {0};
        tsl_stage_straight(args, support, args->mode == TSL_CC_MODE_PREPROCESS, &command);
        ok = run(&p, &command, err) || p.status != 0;
    } else {
        ok = check(args, support, err) && tsl_cleanup_start(args->print_command, err) &&
             compile_and_link(&p, err);
        tsl_cleanup_end();
    }
    *status = p.status;
    return ok;
}
