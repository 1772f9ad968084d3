// Collects functions of other objects; see externs.h.
#include "cc/externs.h"

#include <string.h>

#include "cc/weave.h"

// ---------------------------------------------------------------- redirection

static const struct {
    const char *from, *to;
} redirects[] = {
#define TSL_REDIRECT(from, to) {from, to},
#include "abi/redirect.def"
#undef TSL_REDIRECT
};

// Renaming the declaration redirects calls and uses of the address alike.
static void rename_declaration(LLVMModuleRef module, LLVMValueRef from, const char *to) {
    LLVMValueRef existing = LLVMGetNamedFunction(module, to);
    if (existing) { // bcmp and memcmp have one target
        LLVMReplaceAllUsesWith(from, existing);
        LLVMDeleteFunction(from);
    } else {
        LLVMSetValueName2(from, to, strlen(to));
    }
}

static bool is_callee(LLVMValueRef user, LLVMValueRef function) {
    return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
}

typedef bool is_meant(LLVMValueRef call, LLVMValueRef inside);

// Makes the calls of a function that are meant call `to` instead.
static void redirect_calls(LLVMModuleRef module, LLVMValueRef function, const char *to,
                           is_meant *meant, LLVMValueRef inside) {
    LLVMValueRef target = LLVMGetNamedFunction(module, to);
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_callee(user, function) || !meant(user, inside))
            continue;
        if (!target)
            target = LLVMAddFunction(module, to, LLVMGlobalGetValueType(function));
        LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, target);
    }
}

// The same for a function of another object.
static void redirect_some(LLVMModuleRef module, const char *from, const char *to, is_meant *meant) {
    LLVMValueRef f = LLVMGetNamedFunction(module, from);
    if (f && LLVMIsDeclaration(f))
        redirect_calls(module, f, to, meant, NULL);
}

static bool is_any(LLVMValueRef call, LLVMValueRef inside) {
    (void)call, (void)inside;
    return true;
}

// Which thread of a barrier is the serial one matters only to calls whose result is used.
static bool ignores_result(LLVMValueRef call, LLVMValueRef inside) {
    (void)inside;
    return !LLVMGetFirstUse(call);
}

// fflush(NULL) uses every stream, unlike a call that names one.
static bool flushes_all(LLVMValueRef call, LLVMValueRef inside) {
    (void)inside;
    return LLVMGetNumArgOperands(call) == 1 && LLVMIsNull(LLVMGetOperand(call, 0));
}

static bool is_inside(LLVMValueRef call, LLVMValueRef function) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == function;
}

// Assumptions that SV-COMP programs define call abort if they do not hold; other aborts are bugs.
static void redirect_assumptions(LLVMModuleRef module) {
    static const char *const names[] = {"assume_abort_if_not", "__VERIFIER_assume"};
    LLVMValueRef own = LLVMGetNamedFunction(module, "abort");
    for (size_t i = 0; own && i < sizeof names / sizeof *names; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, names[i]);
        if (f && !LLVMIsDeclaration(f))
            redirect_calls(module, own, "teasel_assume_fail", is_inside, f);
    }
}

void tsl_externs_redirect(LLVMModuleRef module) {
    redirect_assumptions(module);
    redirect_some(module, "pthread_barrier_wait", "__teasel_barrier_wait_ignored", ignores_result);
    redirect_some(module, "fflush", "__teasel_fflush_all", flushes_all);
    for (size_t i = 0; i < sizeof redirects / sizeof *redirects; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, redirects[i].from);
        if (!f)
            continue;
        if (LLVMIsDeclaration(f))
            rename_declaration(module, f, redirects[i].to);
        // SV-COMP programs bring their own reach_error, often just an assert(0): the call is what
        // counts, so it goes to the runtime although there is a body.
        else if (!strcmp(redirects[i].to, "__teasel_reach_error"))
            redirect_calls(module, f, redirects[i].to, is_any, NULL);
    }
}

// ---------------------------------------------------------------- the table

static bool address_taken(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_callee(user, function))
            return true;
        for (unsigned i = 0, n = LLVMGetNumArgOperands(user); i < n; i++)
            if (LLVMGetOperand(user, i) == function)
                return true;
    }
    return false;
}

// ---------------------------------------------------------------- variables of libc

static bool is_variable_of_libc(LLVMValueRef global) {
    static const char *const names[] = {
#define TSL_VARIABLE(name, state, how, type) #name,
#include "abi/variables.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], tsl_llvm_name(global)))
            return true;
    return false;
}

static bool is_only_loaded(LLVMValueRef global) {
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use))
        if (!LLVMIsALoadInst(LLVMGetUser(use)))
            return false;
    return true;
}

static void collect_variables(tsl_weaver *w) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(w->module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g) || !LLVMGetFirstUse(g) || !is_variable_of_libc(g))
            continue;
        uint32_t how = is_only_loaded(g) ? TSL_EXTERN_LOADED : TSL_EXTERN_CHANGED;
        tsl_vec_push(&w->externs.uses, (tsl_extern_use){.function = g, .taken = how});
    }
}

// Through the third parameter of main the program reaches the environment as through environ.
static void collect_environment(tsl_weaver *w) {
    LLVMValueRef f = LLVMGetNamedFunction(w->module, "main");
    if (!f || LLVMIsDeclaration(f) || LLVMCountParams(f) < 3 ||
        !LLVMGetFirstUse(LLVMGetParam(f, 2)) || LLVMGetNamedGlobal(w->module, "environ"))
        return;
    LLVMValueRef g = LLVMAddGlobal(w->module, w->ptr, "environ");
    tsl_vec_push(&w->externs.uses, (tsl_extern_use){.function = g, .taken = TSL_EXTERN_LOADED});
}

void tsl_externs_collect(tsl_weaver *w) {
    tsl_externs *e = &w->externs;
    for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f; f = LLVMGetNextFunction(f)) {
        // A naked function is assembly with a C name.
        bool other = LLVMIsDeclaration(f) || tsl_llvm_has(f, "naked");
        if (!other || LLVMGetIntrinsicID(f) || !LLVMGetFirstUse(f))
            continue;
        tsl_vec_push(&e->uses, (tsl_extern_use){.function = f, .taken = address_taken(f)});
    }
    collect_variables(w);
    collect_environment(w);
    LLVMTypeRef fields[] = {w->ptr, w->ptr, w->i32, w->i32, w->i32, w->i32, w->i32, w->i32};
    e->type = LLVMStructTypeInContext(w->context, fields, 8, 0);
    e->table = LLVMAddGlobal(w->module, LLVMArrayType2(e->type, e->uses.len), "__teasel_externs");
    LLVMSetLinkage(e->table, LLVMInternalLinkage);
}

static size_t find_use(const tsl_externs *e, LLVMValueRef function) {
    size_t i = 0;
    while (i < e->uses.len && e->uses.data[i].function != function)
        i++;
    return i;
}

LLVMValueRef tsl_externs_find(tsl_weaver *w, LLVMValueRef function) {
    tsl_externs *e = &w->externs;
    size_t i = find_use(e, function);
    LLVMValueRef index = LLVMConstInt(w->i64, i, 0);
    return i < e->uses.len ? LLVMConstGEP2(e->type, e->table, &index, 1) : NULL;
}

LLVMValueRef tsl_externs_call(tsl_weaver *w, LLVMValueRef function) {
    LLVMValueRef found = tsl_externs_find(w, function);
    if (found)
        w->externs.uses.data[find_use(&w->externs, function)].calls++;
    return found;
}

static LLVMValueRef name_string(tsl_weaver *w, LLVMValueRef function) {
    const char *name = tsl_llvm_name(function);
    LLVMValueRef global = tsl_llvm_add_bytes(w->module, "__teasel_name", name, strlen(name) + 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

// The pointer is the declaration itself, so a missing function is still a link error.
void tsl_externs_emit(tsl_weaver *w) {
    tsl_externs *e = &w->externs;
    LLVMValueRef *rows = tsl_alloc_array(e->uses.len + 1, sizeof *rows);
    for (size_t i = 0; i < e->uses.len; i++) {
        const tsl_extern_use *u = &e->uses.data[i];
        LLVMValueRef zero = LLVMConstInt(w->i32, 0, 0);
        LLVMValueRef row[] = {name_string(w, u->function),
                              u->function,
                              LLVMConstInt(w->i32, u->calls, 0),
                              LLVMConstInt(w->i32, u->taken, 0),
                              zero,
                              zero,
                              zero,
                              zero};
        rows[i] = LLVMConstStructInContext(w->context, row, 8, 0);
    }
    LLVMSetInitializer(e->table, LLVMConstArray2(e->type, rows, e->uses.len));
    tsl_free(rows);
}

void tsl_externs_drop(tsl_externs *e) { tsl_vec_drop(&e->uses); }
