// Replaces questions to the machine; see machine.h.
#include "cc/machine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "abi/hooks.h"
#include "cc/asmtext.h"
#include "cc/hook.h"

enum { SEGMENT_FS = 257 };

// Asks the runtime; the answer has 64 bits.
static LLVMValueRef answer(tsl_weaver *w, LLVMValueRef inst, unsigned what, LLVMValueRef a,
                           LLVMValueRef b) {
    return TSL_INSERT(w, machine, tsl_u32(w, what), tsl_hook_site_of(w, inst, TSL_SITE_OTHER), a,
                      b);
}

static LLVMValueRef simple_answer(tsl_weaver *w, LLVMValueRef inst, unsigned what) {
    LLVMValueRef zero = LLVMConstInt(w->i64, 0, 0);
    return answer(w, inst, what, zero, zero);
}

// ---------------------------------------------------------------- intrinsics

static const struct intrinsic {
    const char *name; // the whole name, or its beginning
    unsigned what;
    uint64_t second; // value of the second field of the result, if it is a struct
} intrinsics[] = {
    {"llvm.x86.rdtscp", TSL_MACHINE_TIME, 0},       {"llvm.x86.rdtsc", TSL_MACHINE_TIME, 0},
    {"llvm.readcyclecounter", TSL_MACHINE_TIME, 0}, {"llvm.readsteadycounter", TSL_MACHINE_TIME, 0},
    {"llvm.x86.rdrand.", TSL_MACHINE_RANDOM, 1},    {"llvm.x86.rdseed.", TSL_MACHINE_RANDOM, 1},
    {"llvm.aarch64.rndr", TSL_MACHINE_RANDOM, 0},   {"llvm.thread.pointer", TSL_MACHINE_THREAD, 0},
    {"llvm.x86.rdfsbase.", TSL_MACHINE_THREAD, 0},  {"llvm.x86.rdpid", 0, 0},
    {"llvm.x86.rdpmc", TSL_MACHINE_TIME, 0},
};

static LLVMValueRef as_type(tsl_weaver *w, LLVMValueRef value, LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind
               ? LLVMBuildIntToPtr(w->builder, value, type, "")
               : LLVMBuildIntCast2(w->builder, value, type, 0, "");
}

static LLVMValueRef result_of(tsl_weaver *w, LLVMValueRef call, const struct intrinsic *i) {
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef value = i->what ? simple_answer(w, call, i->what) : LLVMConstInt(w->i64, 0, 0);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return as_type(w, value, type);
    LLVMTypeRef first = LLVMStructGetTypeAtIndex(type, 0);
    LLVMTypeRef second = LLVMStructGetTypeAtIndex(type, 1);
    LLVMValueRef both = LLVMGetUndef(type);
    both = LLVMBuildInsertValue(w->builder, both, as_type(w, value, first), 0, "");
    return LLVMBuildInsertValue(w->builder, both, LLVMConstInt(second, i->second, 0), 1, "");
}

static bool replace_intrinsic(tsl_weaver *w, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!tsl_llvm_is_intrinsic(callee))
        return false;
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++) {
        if (!tsl_llvm_starts(callee, intrinsics[i].name))
            continue;
        tsl_hook_before(w, call);
        LLVMReplaceAllUsesWith(call, result_of(w, call, &intrinsics[i]));
        LLVMInstructionEraseFromParent(call);
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- segments

// Is it one of the offsets at which glibc keeps the thread pointer itself?
static bool is_self(uint64_t offset) { return offset == 0 || offset == 16; }

static bool constant_address(LLVMValueRef p, uint64_t *address) {
    if (LLVMIsAConstantPointerNull(p)) {
        *address = 0;
        return true;
    }
    if (!LLVMIsAConstantExpr(p) || LLVMGetConstOpcode(p) != LLVMIntToPtr ||
        !LLVMIsAConstantInt(LLVMGetOperand(p, 0)))
        return false;
    *address = LLVMConstIntGetZExtValue(LLVMGetOperand(p, 0));
    return true;
}

void tsl_machine_segment(tsl_weaver *w, LLVMValueRef load) {
    LLVMValueRef p = LLVMGetOperand(load, 0);
    LLVMTypeRef type = LLVMTypeOf(load);
    uint64_t address;
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != SEGMENT_FS)
        return;
    tsl_hook_before(w, load);
    if (!constant_address(p, &address) || !is_self(address) ||
        LLVMStoreSizeOfType(w->layout, type) != 8) {
        simple_answer(w, load, TSL_MACHINE_SEGMENT);
        return;
    }
    LLVMValueRef value = as_type(w, simple_answer(w, load, TSL_MACHINE_THREAD), type);
    LLVMReplaceAllUsesWith(load, value);
    LLVMInstructionEraseFromParent(load);
}

// Is it "movq %fs:$1, $0", which reads a thread's slot whose offset is an operand?
static bool reads_slot(LLVMValueRef template) {
    static const char *const known[] = {"movq%fs:$1,$0", "mov%fs:$1,$0", "movq%fs:$1,${0:q}",
                                        "mov%fs:$1,${0:q}"};
    size_t n, len = 0, ignored;
    char text[32];
    const char *given = LLVMGetInlineAsmAsmString(template, &n);
    const char *places = LLVMGetInlineAsmConstraintString(template, &ignored);
    for (size_t i = 0; i < n && len + 1 < sizeof text; i++)
        if (!isspace((unsigned char)given[i]) && given[i] != ';')
            text[len++] = given[i];
    text[len] = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(text, known[i]))
            return !strncmp(places, "=r,*m,~", 7) || !strncmp(places, "=&r,*m,~", 8);
    return false;
}

static bool replace_slot(tsl_weaver *w, LLVMValueRef call) {
    LLVMTypeRef type = LLVMTypeOf(call);
    if (!reads_slot(LLVMGetCalledValue(call)) || LLVMGetTypeKind(type) == LLVMVoidTypeKind ||
        LLVMStoreSizeOfType(w->layout, type) != 8)
        return false;
    tsl_hook_before(w, call);
    LLVMValueRef at = tsl_hook_low(w, LLVMGetOperand(call, 0));
    LLVMValueRef value = answer(w, call, TSL_MACHINE_SLOT, at, LLVMConstInt(w->i64, 0, 0));
    LLVMReplaceAllUsesWith(call, as_type(w, value, type));
    LLVMInstructionEraseFromParent(call);
    return true;
}

bool tsl_machine_question(tsl_weaver *w, LLVMValueRef call) {
    return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ? replace_slot(w, call)
                                                      : replace_intrinsic(w, call);
}

// ---------------------------------------------------------------- templates

typedef struct patch {
    const char *text; // the rest of the template, still to be looked at
    size_t left;
    tsl_buf out;
    unsigned what;
} patch;

static unsigned long word(unsigned i) {
    return TSL_HOT_ADDR + offsetof(tsl_hot, machine) + 4ul * i;
}

static bool next_is(const patch *p, const char *name) {
    return p->left >= strlen(name) && !strncasecmp(p->text, name, strlen(name));
}

static bool ends_word(const patch *p, size_t n) {
    return n >= p->left || !(isalnum((unsigned char)p->text[n]) || p->text[n] == '_');
}

static void skip(patch *p, size_t n) {
    p->text += n;
    p->left -= n;
}

static void put_moves(patch *p, unsigned from, const char *const *registers) {
    for (unsigned i = 0; registers[i]; i++)
        tsl_buf_add(&p->out, "%smovl 0x%lx, %s", i ? "\n\t" : "", word(from + i), registers[i]);
}

// "rdrand" with its operand becomes a move, and stc, which says that it succeeded.
static void patch_random(patch *p, size_t name) {
    skip(p, name);
    char suffix = p->left && strchr("wlq", *p->text) ? *p->text : 0;
    skip(p, suffix != 0);
    size_t operand = 0;
    while (operand < p->left && p->text[operand] != ';' && p->text[operand] != '\n')
        operand++;
    tsl_buf_add(&p->out, "mov%.*s 0x%lx, %.*s\n\tstc", suffix != 0, &suffix,
                word(TSL_MACHINE_RANDOM_AT), (int)operand, p->text);
    skip(p, operand);
    p->what |= TSL_MACHINE_RANDOM;
}

// "rdfsbase" becomes a move of the thread pointer.
static void patch_base(patch *p) {
    skip(p, strlen("rdfsbase"));
    if (p->left && strchr("lq", *p->text))
        skip(p, 1);
    tsl_buf_add(&p->out, "mov 0x%lx,", word(TSL_MACHINE_THREAD_AT));
    p->what |= TSL_MACHINE_THREAD;
}

static void patch_segment(patch *p) {
    char *end;
    unsigned long offset = strtoul(p->text + 4, &end, 0);
    size_t n = (size_t)(end - p->text);
    if (n <= 4 || !is_self(offset) || !ends_word(p, n) || (n < p->left && *end == '(')) {
        p->what |= TSL_MACHINE_SEGMENT;
        tsl_buf_puts(&p->out, "%fs:");
        skip(p, 4);
        return;
    }
    tsl_buf_add(&p->out, "0x%lx", word(TSL_MACHINE_THREAD_AT));
    skip(p, n);
    p->what |= TSL_MACHINE_THREAD;
}

static void patch_x86(patch *p, bool known_leaf) {
    static const char *const time[] = {"%eax", "%edx", NULL};
    static const char *const name[] = {"%eax", "%ebx", "%ecx", "%edx", NULL};
    if (next_is(p, "rdtscp") && ends_word(p, 6)) {
        put_moves(p, TSL_MACHINE_TIME_AT, time);
        tsl_buf_puts(&p->out, "\n\tmovl $$0, %ecx");
        p->what |= TSL_MACHINE_TIME;
        skip(p, 6);
    } else if (next_is(p, "rdtsc") && ends_word(p, 5)) {
        put_moves(p, TSL_MACHINE_TIME_AT, time);
        p->what |= TSL_MACHINE_TIME;
        skip(p, 5);
    } else if (next_is(p, "cpuid") && ends_word(p, 5)) {
        p->what |= known_leaf ? TSL_MACHINE_CPUID : TSL_MACHINE_UNKNOWN;
        if (known_leaf)
            put_moves(p, TSL_MACHINE_CPUID_AT, name);
        else
            tsl_buf_puts(&p->out, "cpuid");
        skip(p, 5);
    } else if (next_is(p, "rdrand") || next_is(p, "rdseed"))
        patch_random(p, 6);
    else if (next_is(p, "rdfsbase"))
        patch_base(p);
    else if (next_is(p, "%fs:"))
        patch_segment(p);
    else {
        tsl_buf_add(&p->out, "%c", *p->text);
        skip(p, 1);
    }
}

// mrs of the counter or of the thread pointer becomes a load; the target first gets its address.
static void patch_arm(patch *p) {
    static const struct {
        const char *name;
        unsigned what, at;
    } registers[] = {{"cntvct_el0", TSL_MACHINE_TIME, TSL_MACHINE_TIME_AT},
                     {"cntpct_el0", TSL_MACHINE_TIME, TSL_MACHINE_TIME_AT},
                     {"tpidr_el0", TSL_MACHINE_THREAD, TSL_MACHINE_THREAD_AT}};
    size_t end = 0;
    while (end < p->left && p->text[end] != ';' && p->text[end] != '\n')
        end++;
    for (size_t i = 0; next_is(p, "mrs") && i < sizeof registers / sizeof *registers; i++) {
        const char *comma = memchr(p->text, ',', end);
        if (!comma || !memmem(p->text, end, registers[i].name, strlen(registers[i].name)))
            continue;
        const char *to = p->text + 3 + strspn(p->text + 3, " \t");
        int n = (int)(comma - to);
        unsigned long at = word(registers[i].at);
        tsl_buf_add(&p->out, "movz %.*s, #0x%lx, lsl #16\n\tmovk %.*s, #0x%lx\n\tldr %.*s, [%.*s]",
                    n, to, at >> 16, n, to, at & 0xffff, n, to, n, to);
        p->what |= registers[i].what;
        skip(p, end);
        return;
    }
    tsl_buf_add(&p->out, "%c", *p->text);
    skip(p, 1);
}

// ---------------------------------------------------------------- which leaf

// The argument that is passed in the named register, or tied to a result in it.
static LLVMValueRef argument_in(LLVMValueRef call, const char *name) {
    size_t len;
    const char *text = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &len);
    int arg = 0, number = 0, tied = -1;
    for (size_t at = 0, n; at < len; at += n + 1, number++) {
        const char *c = text + at, *comma = memchr(c, ',', len - at);
        n = comma ? (size_t)(comma - c) : len - at;
        bool output = *c == '=', here = memmem(c, n, name, strlen(name)) != NULL;
        if (*c == '~')
            break;
        if (output && here)
            tied = number;
        if (!output && (here || (isdigit((unsigned char)*c) && atoi(c) == tied)))
            return LLVMGetOperand(call, (unsigned)arg);
        arg += !output || memchr(c, '*', n);
    }
    return NULL;
}

static LLVMValueRef leaf_argument(tsl_weaver *w, LLVMValueRef call, const char *name) {
    LLVMValueRef v = argument_in(call, name);
    bool number = v && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
    return number ? LLVMBuildIntCast2(w->builder, v, w->i64, 0, "") : LLVMConstInt(w->i64, 0, 0);
}

// ---------------------------------------------------------------- the whole

static bool has_one(const char *text, size_t len, const char *const *names) {
    for (; *names; names++)
        for (size_t n = strlen(*names), at = 0; at + n <= len; at++)
            if (!strncasecmp(text + at, *names, n))
                return true;
    return false;
}

static bool asks(const char *text, size_t len, bool arm) {
    static const char *const x86[] = {"rdtsc", "rdrand",   "rdseed", "cpuid",
                                      "fs:",   "rdfsbase", NULL},
                             *const arms[] = {"mrs", NULL};
    return has_one(text, len, arm ? arms : x86);
}

// Is the instruction one whose answer depends on the core, the moment or the kernel?
static bool is_core(const tsl_asm_inst *inst) {
    static const char *const names[] = {"rdpid", "rdpmc",  "rdgsbase", "rdpru",  "sgdt",
                                        "sidt",  "sldt",   "lsl",      "xbegin", "umwait",
                                        "rdssp", "tpause", "smsw",     "str",    NULL};
    for (const char *const *name = names; *name; name++)
        if (inst->length >= strlen(*name) && inst->length <= strlen(*name) + 1 &&
            !strncasecmp(inst->name, *name, strlen(*name)))
            return true;
    return *inst->name == '.' && inst->class_ == TSL_ASM_UNKNOWN; // bytes of unknown code
}

static bool has_core(const char *text, size_t len, bool arm) {
    tsl_asm_text all = tsl_asm_parse(text, len, arm);
    bool any = false;
    for (size_t i = 0; i < all.insts.len; i++)
        any |= arm ? *all.insts.data[i].name == '.' : is_core(&all.insts.data[i]);
    tsl_asm_drop(&all);
    return any;
}

// Questions that are reported but can't be replaced.
static unsigned named(const char *text, size_t len, bool arm) {
    static const char *const calls[] = {"syscall",   "sysenter", "int $$0x80",
                                        "int $$128", "int 0x80", NULL},
                             *const arm_calls[] = {"svc", NULL};
    unsigned what = has_one(text, len, arm ? arm_calls : calls) ? TSL_MACHINE_KERNEL : 0;
    return what | (has_core(text, len, arm) ? TSL_MACHINE_CORE : 0);
}

static void replace(LLVMValueRef call, LLVMValueRef old, const tsl_buf *text) {
    size_t n;
    const char *constraints = LLVMGetInlineAsmConstraintString(old, &n);
    LLVMValueRef patched = LLVMGetInlineAsm(
        LLVMGetInlineAsmFunctionType(old), text->data, text->len, constraints, n,
        LLVMGetInlineAsmHasSideEffects(old), LLVMGetInlineAsmNeedsAlignedStack(old),
        LLVMGetInlineAsmDialect(old), LLVMGetInlineAsmCanUnwind(old));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, patched);
}

// Is the template in Intel syntax, or does it switch to it?
static bool is_intel(LLVMValueRef template) {
    size_t n;
    const char *text = LLVMGetInlineAsmAsmString(template, &n), *word = "intel_syntax";
    return LLVMGetInlineAsmDialect(template) == LLVMInlineAsmDialectIntel ||
           memmem(text, n, word, strlen(word));
}

static bool is_arm(const tsl_weaver *w) { return !strncmp(LLVMGetTarget(w->module), "aarch64", 7); }

void tsl_machine_asm(tsl_weaver *w, LLVMValueRef call) {
    LLVMValueRef old = LLVMGetCalledValue(call);
    patch p = {0};
    p.text = LLVMGetInlineAsmAsmString(old, &p.left);
    bool arm = is_arm(w);
    bool asked = asks(p.text, p.left, arm);
    bool patched = asked && LLVMIsACallInst(call) && !is_intel(old);
    p.what = named(p.text, p.left, arm) | (asked && !patched ? TSL_MACHINE_CORE : 0u);
    bool known_leaf = argument_in(call, "{ax}") != NULL;
    while (patched && p.left)
        if (arm)
            patch_arm(&p);
        else
            patch_x86(&p, known_leaf);
    if (p.what) {
        tsl_hook_before(w, call);
        answer(w, call, p.what, leaf_argument(w, call, "{ax}"), leaf_argument(w, call, "{cx}"));
        if (patched)
            replace(call, old, &p.out);
    }
    tsl_buf_drop(&p.out);
}

// ---------------------------------------------------------------- functions in assembly

static unsigned not_replaced(const char *text, size_t len, bool arm) {
    return named(text, len, arm) | (asks(text, len, arm) ? TSL_MACHINE_CORE : 0u);
}

static unsigned of_body(LLVMValueRef f, bool arm) {
    unsigned what = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            size_t len;
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (callee && LLVMIsAInlineAsm(callee)) {
                const char *text = LLVMGetInlineAsmAsmString(callee, &len);
                what |= not_replaced(text, len, arm);
            }
        }
    return what;
}

// Is the function a label of the file's own assembly?
static bool is_label(const char *text, size_t len, const char *name) {
    for (const char *at = text; (at = memmem(at, len - (size_t)(at - text), name, strlen(name)));
         at++)
        if (at[strlen(name)] == ':')
            return true;
    return false;
}

void tsl_machine_function(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee) {
    size_t len;
    const char *text = LLVMGetModuleInlineAsm(w->module, &len);
    unsigned what = 0;
    if (!LLVMIsDeclaration(callee))
        what = of_body(callee, is_arm(w));
    else if (len && is_label(text, len, tsl_llvm_name(callee)))
        what = not_replaced(text, len, is_arm(w));
    if (!what)
        return;
    LLVMValueRef zero = LLVMConstInt(w->i64, 0, 0);
    tsl_hook_before(w, call);
    answer(w, call, what, zero, zero);
}
