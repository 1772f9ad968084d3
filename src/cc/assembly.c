// Finds the accesses of inline assembly; see assembly.h.
#include "cc/assembly.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cc/escape.h"

enum { MOST_OPERANDS = 40, SEQ_CST = 5, ACQUIRE = 2, RELEASE = 3 };

// ---------------------------------------------------------------- constraints

typedef struct operand {
    bool output, indirect; // indirect: the argument is a pointer to the operand
    int arg;               // number of the call's argument, or -1: a result in a register
    int tied;              // number of the operand it is tied to, or -1
    const char *name;      // of the register that the constraint asks for, or NULL
    size_t name_length;
} operand;

typedef struct constraints {
    operand operands[MOST_OPERANDS];
    int n;
    bool memory; // memory is clobbered
    bool odd;    // there are too many operands
} constraints;

static bool starts(const char *p, size_t n, const char *with) {
    return n >= strlen(with) && !strncmp(p, with, strlen(with));
}

static void add_constraint(constraints *c, const char *p, size_t n, int *arg) {
    if (n && *p == '~') {
        c->memory |= starts(p, n, "~{memory}");
        return;
    }
    if (c->n == MOST_OPERANDS) {
        c->odd = true;
        return;
    }
    operand o = {.output = *p == '=', .indirect = memchr(p, '*', n) != NULL, .arg = -1, .tied = -1};
    if (*p == '!') { // a label of an asm goto
        c->operands[c->n++] = o;
        return;
    }
    if (!o.output || o.indirect)
        o.arg = (*arg)++;
    if (!o.output && isdigit((unsigned char)*p))
        o.tied = atoi(p);
    const char *open = memchr(p, '{', n), *close = open ? memchr(open, '}', n) : NULL;
    if (close) {
        o.name = open + 1;
        o.name_length = (size_t)(close - open) - 1;
    }
    c->operands[c->n++] = o;
}

static constraints read_constraints(LLVMValueRef call) {
    constraints c = {0};
    size_t len;
    const char *text = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &len);
    int arg = 0;
    for (size_t at = 0; at < len;) {
        const char *comma = memchr(text + at, ',', len - at);
        size_t n = comma ? (size_t)(comma - text) - at : len - at;
        add_constraint(&c, text + at, n, &arg);
        at += n + 1;
    }
    return c;
}

LLVMTypeRef tsl_assembly_place(LLVMValueRef call, unsigned i) {
    return tsl_llvm_operand_type(call, i, "elementtype");
}

bool tsl_assembly_writes(LLVMValueRef call, unsigned i) {
    constraints c = read_constraints(call);
    for (int k = 0; k < c.n; k++)
        if (c.operands[k].arg == (int)i)
            return c.operands[k].output;
    return false;
}

bool tsl_assembly_keeps(LLVMValueRef call) {
    size_t len;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &len);
    return memmem(text, len, "lea", 3) != NULL;
}

// ---------------------------------------------------------------- accesses

typedef struct reading {
    tsl_weaver *w;
    LLVMValueRef call;
    constraints c;
    tsl_asm_text text;
    tsl_assembly *out;
    unsigned touching; // instructions that touch memory
} reading;

// A plain load or store is done in one go, and so is atomic beside a locked instruction on the same
// place.  A read-modify-write without a lock is not.
static bool is_torn(const tsl_asm_access *a) { return !a->atomic && a->reads && a->writes; }

static void add_access(tsl_assembly *out, tsl_asm_access a) {
    for (unsigned i = 0; i < out->naccesses; i++) {
        tsl_asm_access *b = &out->accesses[i];
        if (b->pointer != a.pointer || b->offset != a.offset || b->bit != a.bit)
            continue;
        b->atomic = (a.atomic || b->atomic) && !is_torn(&a) && !is_torn(b);
        b->reads |= a.reads;
        b->writes |= a.writes;
        b->size = a.size > b->size ? a.size : b->size;
        b->order = SEQ_CST;
        b->insts += a.insts;
        return;
    }
    if (out->naccesses == TSL_ASM_ACCESSES)
        out->is_opaque = true;
    else
        out->accesses[out->naccesses++] = a;
}

static LLVMValueRef arg_of(const reading *r, int number) {
    int arg = r->c.operands[number].arg;
    for (int i = 0; i < r->c.n && arg < 0; i++)
        if (r->c.operands[i].tied == number)
            arg = r->c.operands[i].arg;
    return arg < 0 ? NULL : LLVMGetOperand(r->call, (unsigned)arg);
}

static bool is_number(const reading *r, int number) { return number >= 0 && number < r->c.n; }

static uint64_t size_of(const reading *r, LLVMTypeRef type) {
    return LLVMTypeIsSized(type) && LLVMGetTypeKind(type) != LLVMScalableVectorTypeKind
               ? LLVMStoreSizeOfType(r->w->layout, type)
               : 0;
}

// The type of an operand in a register; several results are the fields of a struct.
static LLVMTypeRef value_type(const reading *r, int number) {
    LLVMValueRef value = arg_of(r, number);
    if (value)
        return LLVMTypeOf(value);
    LLVMTypeRef type = LLVMTypeOf(r->call);
    unsigned field = 0;
    for (int i = 0; i < number; i++)
        field += r->c.operands[i].output && !r->c.operands[i].indirect;
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind && field < LLVMCountStructElementTypes(type))
        return LLVMStructGetTypeAtIndex(type, field);
    return type;
}

// The size of the access according to a register among the operands; 0: unknown.
static uint64_t register_size(const reading *r, const tsl_asm_inst *inst) {
    // The first register of stxr only says whether it stored.
    bool skip = inst->class_ == TSL_ASM_EXCLUSIVE && *inst->name == 's';
    for (unsigned i = skip; i < inst->noperands; i++) {
        const tsl_asm_operand *o = &inst->operands[i];
        if (o->place != TSL_ASM_VALUE && o->place != TSL_ASM_OPERAND)
            continue;
        if (o->size)
            return o->size;
        if (o->place != TSL_ASM_OPERAND || !is_number(r, o->number) ||
            r->c.operands[o->number].indirect)
            continue;
        LLVMTypeRef type = value_type(r, o->number);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind)
            return size_of(r, type);
    }
    return 0;
}

// Can no other thread reach the memory at `p`, or is it constant?
static bool is_private(const reading *r, LLVMValueRef p) {
    if (LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind)
        return false;
    LLVMValueRef base = tsl_escape_base(p);
    return tsl_escape_is_private(r->w, p) || tsl_llvm_is_constant(base);
}

// ---------------------------------------------------------------- places

// Number of the operand whose constraint asks for this register, if it stays there; or -1.
static int number_of_register(const reading *r, const char *name, size_t n) {
    bool wide = n == 3 && *name == 'r' && isalpha((unsigned char)name[1]);
    for (int i = 0; i < r->c.n; i++) {
        const operand *o = &r->c.operands[i];
        bool same = o->name && ((o->name_length == n && !strncmp(o->name, name, n)) ||
                                (wide && o->name_length == 2 && !strncmp(o->name, name + 1, 2)));
        if (same)
            return o->indirect || (o->output && r->text.insts.len > 1) ? -1 : i;
    }
    return -1;
}

// The value of the register that holds the address; NULL: unknown.
static LLVMValueRef base_of(const reading *r, const tsl_asm_operand *o) {
    int number = o->base ? number_of_register(r, o->base, o->base_length) : o->number;
    if (!is_number(r, number) || r->c.operands[number].indirect)
        return NULL;
    // The value of a register that the template itself changes is unknown.
    return r->c.operands[number].output && r->text.insts.len > 1 ? NULL : arg_of(r, number);
}

static bool add_constant(const reading *r, const tsl_asm_operand *o, tsl_asm_access *a) {
    LLVMValueRef by = is_number(r, o->constant) ? arg_of(r, o->constant) : NULL;
    if (!by || !LLVMIsAConstantInt(by))
        return false;
    a->offset += LLVMConstIntGetSExtValue(by);
    return true;
}

// Is it a constant written without the dollar, which on x86 is a place in memory?
static bool is_bare(const reading *r, const tsl_asm_operand *o) {
    return o->place == TSL_ASM_OPERAND && o->modifier && strchr("cPp", o->modifier) &&
           !strncmp(LLVMGetTarget(r->w->module), "x86", 3) && !r->c.operands[o->number].indirect;
}

// Finds the memory that an operand of an instruction stands for; false: none, or unknown.
static bool find_place(reading *r, const tsl_asm_inst *inst, const tsl_asm_operand *o,
                       tsl_asm_access *a) {
    LLVMTypeRef type = NULL;
    *a = (tsl_asm_access){.offset = o->offset, .insts = 1, .size = inst->size};
    if (o->place == TSL_ASM_OPERAND && !is_number(r, o->number))
        return false;
    if (o->place == TSL_ASM_OPERAND && !is_bare(r, o)) {
        if (!r->c.operands[o->number].indirect)
            return false;
        unsigned arg = (unsigned)r->c.operands[o->number].arg;
        a->pointer = LLVMGetOperand(r->call, arg);
        a->operand = true;
        type = tsl_assembly_place(r->call, arg);
    } else if (o->place == TSL_ASM_MEMORY && o->symbol) {
        char *name = strndup(o->symbol, o->symbol_length);
        a->pointer = LLVMGetNamedGlobal(r->w->module, name);
        free(name);
        type = a->pointer ? LLVMGlobalGetValueType(a->pointer) : NULL;
    } else if (o->place == TSL_ASM_STACK || o->place == TSL_ASM_VALUE)
        return false;
    else
        a->pointer = base_of(r, o);
    if (o->constant >= 0 && !add_constant(r, o, a))
        a->pointer = NULL;
    if (a->pointer && is_private(r, a->pointer))
        return false;
    if (!a->size)
        a->size = register_size(r, inst);
    if (!a->size && type)
        a->size = size_of(r, type);
    if (!a->pointer || !a->size || (a->size > 16 && !a->operand)) {
        r->out->is_opaque = true;
        return false;
    }
    return true;
}

// What an instruction does to its operand number i.
static void use(const tsl_asm_inst *inst, unsigned i, bool arm, tsl_asm_access *a) {
    bool last = i + 1 == inst->noperands, store = arm && !strncmp(inst->name, "st", 2);
    a->order = SEQ_CST;
    switch (inst->class_) {
    case TSL_ASM_MOVE:
        a->reads = !last;
        a->writes = last;
        break;
    case TSL_ASM_WRITE:
        a->writes = true;
        break;
    case TSL_ASM_UPDATE:
    case TSL_ASM_BITS:
        a->reads = true;
        a->writes = last;
        a->atomic = inst->locked && last;
        break;
    case TSL_ASM_SWAP:
        a->reads = a->writes = a->atomic = true;
        break;
    case TSL_ASM_EXCLUSIVE:
        a->reads = !store;
        a->writes = store;
        a->atomic = true;
        break;
    case TSL_ASM_LOAD:
    case TSL_ASM_STORE:
        a->reads = inst->class_ == TSL_ASM_LOAD;
        a->writes = !a->reads;
        a->atomic = true;
        a->order = inst->order;
        break;
    default:
        a->reads = true;
        break;
    }
}

// A bit's index may lead beyond the word that the pointer points to.
static void count_bits(const reading *r, const tsl_asm_inst *inst, tsl_asm_access *a) {
    const tsl_asm_operand *o = &inst->operands[0];
    bool counts = inst->class_ == TSL_ASM_BIT || inst->class_ == TSL_ASM_BITS;
    if (!counts || o->place == TSL_ASM_VALUE)
        return;
    LLVMValueRef bit =
        o->place == TSL_ASM_OPERAND && is_number(r, o->number) ? arg_of(r, o->number) : NULL;
    if (bit && LLVMGetTypeKind(LLVMTypeOf(bit)) == LLVMIntegerTypeKind) {
        bool here = LLVMIsAConstantInt(bit) && LLVMConstIntGetZExtValue(bit) < 8 * a->size;
        a->bit = here ? NULL : bit;
    } else
        r->out->is_opaque = true;
}

// A locked instruction on the stack, or on a private variable with a memory clobber, is a fence.
static bool is_stack_fence(const reading *r, const tsl_asm_inst *inst) {
    if (!inst->locked && inst->class_ != TSL_ASM_SWAP)
        return false;
    for (unsigned i = 0; i < inst->noperands; i++) {
        const tsl_asm_operand *o = &inst->operands[i];
        if (o->place == TSL_ASM_STACK)
            return true;
        bool known = o->place == TSL_ASM_OPERAND && is_number(r, o->number);
        if (!known || !r->c.memory || !r->c.operands[o->number].indirect)
            continue;
        if (is_private(r, LLVMGetOperand(r->call, (unsigned)r->c.operands[o->number].arg)))
            return true;
    }
    return false;
}

static void read_inst(reading *r, const tsl_asm_inst *inst, bool arm) {
    tsl_assembly *out = r->out;
    unsigned before = out->naccesses;
    bool touches = false;
    if (inst->class_ == TSL_ASM_FENCE || is_stack_fence(r, inst)) {
        out->order = out->is_fence || !inst->order ? SEQ_CST : inst->order;
        out->is_fence = true;
        return;
    }
    if (inst->class_ == TSL_ASM_NONE || inst->class_ == TSL_ASM_HINT)
        return;
    for (unsigned i = 0; i < inst->noperands; i++) {
        tsl_asm_access a;
        if (!find_place(r, inst, &inst->operands[i], &a))
            continue;
        use(inst, i, arm, &a);
        count_bits(r, inst, &a);
        add_access(out, a);
        touches = true;
    }
    r->touching += touches || out->naccesses > before;
}

// ---------------------------------------------------------------- by constraints only

static bool has_pointer(const reading *r) {
    for (int i = 0; i < r->c.n; i++) {
        const operand *o = &r->c.operands[i];
        if (o->arg >= 0 && !o->indirect &&
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(r->call, (unsigned)o->arg))) ==
                LLVMPointerTypeKind)
            return true;
    }
    return false;
}

// Does a template that is not understood contain a locked instruction?
static bool says_atomic(const reading *r) {
    for (size_t i = 0; i < r->text.insts.len; i++) {
        const tsl_asm_inst *inst = &r->text.insts.data[i];
        if (inst->locked || tsl_asm_is(inst, "xchg"))
            return true;
    }
    return false;
}

static void read_by_constraints(reading *r) {
    bool atomic = says_atomic(r);
    for (int i = 0; i < r->c.n; i++) {
        const operand *o = &r->c.operands[i];
        LLVMTypeRef type =
            o->indirect && o->arg >= 0 ? tsl_assembly_place(r->call, (unsigned)o->arg) : NULL;
        if (!type || is_private(r, LLVMGetOperand(r->call, (unsigned)o->arg)))
            continue;
        if (!size_of(r, type)) { // an array without a length
            r->out->is_opaque = true;
            continue;
        }
        add_access(r->out, (tsl_asm_access){.pointer = LLVMGetOperand(r->call, (unsigned)o->arg),
                                            .size = size_of(r, type),
                                            .reads = !o->output,
                                            .writes = o->output,
                                            .atomic = atomic,
                                            .order = SEQ_CST,
                                            .insts = 1,
                                            .operand = true});
    }
    // Without a clobber only operands may be touched, but programs also use pointers in registers.
    r->out->is_opaque |= r->c.memory || has_pointer(r) || r->text.strings;
    r->touching = r->out->naccesses ? (unsigned)r->text.insts.len : 0;
}

static bool all_known(const reading *r) {
    for (size_t i = 0; i < r->text.insts.len; i++)
        if (r->text.insts.data[i].class_ == TSL_ASM_UNKNOWN)
            return false;
    return !r->c.odd;
}

// ---------------------------------------------------------------- the whole

static bool is_arm(const tsl_weaver *w) {
    const char *triple = LLVMGetTarget(w->module);
    return !strncmp(triple, "aarch64", 7) || !strncmp(triple, "arm64", 5);
}

// Load-exclusive and store-exclusive on one place are one step, whatever stands between them.
static bool is_exclusive(const reading *r) {
    for (size_t i = 0; i < r->text.insts.len; i++)
        if (r->text.insts.data[i].class_ == TSL_ASM_EXCLUSIVE)
            return r->out->naccesses == 1 && r->out->accesses[0].atomic;
    return false;
}

// In asm that clobbers memory, a load or store that the processor does in one go is meant to order
// other accesses: it becomes an acquire or a release.
static void order_moves(tsl_assembly *out) {
    for (unsigned i = 0; i < out->naccesses && out->gives_order; i++) {
        tsl_asm_access *a = &out->accesses[i];
        bool whole = a->size <= 8 && (a->size & (a->size - 1)) == 0;
        if (a->atomic || a->reads == a->writes || !whole)
            continue;
        a->atomic = true;
        a->order = a->reads ? ACQUIRE : RELEASE;
    }
}

tsl_assembly tsl_assembly_of(tsl_weaver *w, LLVMValueRef call) {
    tsl_assembly out = {0};
    LLVMValueRef assembly = LLVMGetCalledValue(call);
    bool arm = is_arm(w);
    size_t len;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &len);
    reading r = {.w = w, .call = call, .c = read_constraints(call), .out = &out};
    r.text = tsl_asm_parse(text, len, arm);
    bool intel = LLVMGetInlineAsmDialect(assembly) == LLVMInlineAsmDialectIntel;
    if (intel || r.text.intel || !all_known(&r)) {
        if (r.text.insts.len)
            read_by_constraints(&r);
    } else
        for (size_t i = 0; i < r.text.insts.len; i++)
            read_inst(&r, &r.text.insts.data[i], arm);
    out.gives_order = r.c.memory;
    out.repeats = r.text.repeats;
    out.is_single = r.text.insts.len == 1;
    out.is_several = r.touching > 1 && !is_exclusive(&r);
    if (out.naccesses && !out.is_opaque)
        order_moves(&out);
    tsl_asm_drop(&r.text);
    return out;
}
