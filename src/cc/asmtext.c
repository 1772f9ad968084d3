// Takes templates of inline assembly apart; see asmtext.h.
#include "cc/asmtext.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------- plain text

// The template without comments; of alternatives for several syntaxes only the first is kept.
static char *plain_text(const char *text, size_t n, bool arm) {
    char *out = tsl_alloc(n + 1);
    size_t used = 0;
    unsigned alternative = 0;
    for (size_t i = 0; i < n; i++) {
        char c = text[i], next = i + 1 < n ? text[i + 1] : 0;
        if (c == '$' && next && strchr("(|)$", next)) {
            alternative = next == '('   ? 0
                          : next == '|' ? alternative + 1
                          : next == ')' ? 0
                                        : alternative;
            i++;
            if (next != '$')
                continue;
            c = 1;
        } else if ((c == '#' && !arm) || (c == '/' && next == '/')) {
            while (i + 1 < n && text[i + 1] != '\n')
                i++;
            continue;
        } else if (c == '/' && next == '*') {
            const char *end = memmem(text + i, n - i, "*/", 2);
            i = end ? (size_t)(end - text) + 1 : n;
            continue;
        }
        if (alternative == 0)
            out[used++] = c;
    }
    out[used] = 0;
    return out;
}

// ---------------------------------------------------------------- operands

// The upper byte of a register (h) is as large as the lower one.
static unsigned modifier_size(char modifier) {
    return tsl_asm_size("bwkq", modifier == 'h' ? 'b' : modifier);
}

// Reads $N or ${N:m} at `*p` and moves `*p` past it.
static bool read_number(const char **p, const char *end, bool arm, tsl_asm_operand *o) {
    const char *at = *p + 1;
    char *behind;
    bool braces = at < end && *at == '{';
    at += braces;
    if (at >= end || !isdigit((unsigned char)*at))
        return false;
    o->number = (int)strtol(at, &behind, 10);
    at = behind;
    if (braces && at < end && *at == ':' && at + 1 < end) {
        o->modifier = at[1];
        o->offset = !arm && at[1] == 'H' ? 8 : 0; // the upper half
        o->size = arm ? (at[1] == 'w' ? 4 : at[1] == 'x' ? 8 : 0) : modifier_size(at[1]);
        at += 2;
    }
    if (braces && (at >= end || *at != '}'))
        return false;
    *p = at + braces;
    return true;
}

static unsigned register_size(const char *name, size_t n, bool arm) {
    if (arm)
        return n && *name == 'w' ? 4 : n && *name == 'x' ? 8 : 0;
    if (n >= 2 && name[n - 1] == 'l' && n == 2)
        return 1;
    if (*name == 'e')
        return 4;
    if (*name == 'r')
        return name[n - 1] == 'd' ? 4 : name[n - 1] == 'w' ? 2 : name[n - 1] == 'b' ? 1 : 8;
    return n == 2 ? (name[1] == 'h' ? 1 : 2) : 0;
}

static bool is_stack(const char *p, size_t n, bool arm) {
    static const char *const x86[] = {"%rsp", "%esp", "%rbp", NULL}, *const arms[] = {"sp", NULL};
    for (const char *const *name = arm ? arms : x86; *name; name++)
        if (n == strlen(*name) && !strncmp(p, *name, n))
            return true;
    return false;
}

// Reads an offset, or the address of a variable, that is a constant operand (%c1).
static bool read_constant(const char *p, size_t n, bool arm, tsl_asm_operand *o) {
    tsl_asm_operand number = {.number = -1};
    const char *end = p + n;
    if (!n || *p != '$' || !read_number(&p, end, arm, &number) || p != end)
        return false;
    o->constant = number.number;
    return true;
}

// Reads an operand in memory: `base` stands between the brackets, `offset` beside them.
static void read_memory(const char *base, const char *end, const char *offset, size_t noffset,
                        bool arm, tsl_asm_operand *o) {
    char *behind;
    while (noffset && *offset == '#')
        offset++, noffset--;
    o->place = TSL_ASM_ODD;
    o->number = -1;
    if (is_stack(base, (size_t)(end - base), arm)) {
        o->place = TSL_ASM_STACK;
        return;
    }
    bool constant = read_constant(offset, noffset, arm, o);
    if (end - base == 4 && !strncmp(base, "%rip", 4)) {
        o->place = TSL_ASM_MEMORY;
        o->symbol = constant ? NULL : offset;
        o->symbol_length = noffset;
        o->number = constant ? o->constant : -1;
        o->constant = -1;
        return;
    }
    int64_t distance = constant ? 0 : strtoll(offset, &behind, 0);
    const char *p = base;
    if (!constant && noffset && behind != offset + noffset)
        return;
    if (*base == '%' && !memchr(base, ',', (size_t)(end - base))) {
        o->base = base + 1;
        o->base_length = (size_t)(end - base) - 1;
    } else if (*base == '$' && read_number(&p, end, arm, o) && p == end)
        o->place = TSL_ASM_MEMORY;
    o->offset = distance;
}

static const char *trim(const char *p, const char **end) {
    while (p < *end && isspace((unsigned char)*p))
        p++;
    while (*end > p && isspace((unsigned char)(*end)[-1]))
        --*end;
    return p;
}

static tsl_asm_operand read_operand(const char *p, const char *end, bool arm) {
    tsl_asm_operand o = {.place = TSL_ASM_ODD, .number = -1, .constant = -1};
    p = trim(p, &end);
    if (p == end)
        return o;
    if (arm && *p == '[') {
        const char *close = memchr(p, ']', (size_t)(end - p));
        const char *comma = memchr(p, ',', (size_t)(end - p)), *stop = comma ? comma : close;
        if (!close || close + 1 != end)
            return o; // the address is written back to the base register
        const char *from = comma ? comma + 1 : close, *base = trim(p + 1, &stop);
        from = trim(from, &close);
        read_memory(base, stop, from, (size_t)(close - from), arm, &o);
        return o;
    }
    if (end - p > 4 && (!strncmp(p, "%fs:", 4) || !strncmp(p, "%gs:", 4))) {
        o.place = TSL_ASM_STACK; // thread-local: no other thread's, like the stack
        return o;
    }
    const char *open = arm ? NULL : memchr(p, '(', (size_t)(end - p));
    if (open && end[-1] == ')') {
        const char *close = end - 1, *base = trim(open + 1, &close);
        read_memory(base, close, p, (size_t)(open - p), arm, &o);
        return o;
    }
    if (*p == '$') {
        const char *behind = p;
        if (read_number(&behind, end, arm, &o) && behind == end)
            o.place = o.modifier == 'a' ? TSL_ASM_MEMORY : TSL_ASM_OPERAND; // a: an address
    } else if (*p == 1 || *p == '#') {
        o.place = TSL_ASM_VALUE;
    } else if (*p == '%' && !memchr(p, ':', (size_t)(end - p))) {
        o.place = TSL_ASM_VALUE;
        o.size = register_size(p + 1, (size_t)(end - p) - 1, arm);
    } else if (arm && (isalpha((unsigned char)*p))) {
        o.place = TSL_ASM_VALUE; // a register, a condition, an option
        o.size = register_size(p, (size_t)(end - p), arm);
    }
    return o;
}

// ---------------------------------------------------------------- words

static void read_operands(tsl_asm_inst *inst, const char *p, const char *end, bool arm) {
    unsigned depth = 0;
    p = trim(p, &end);
    const char *from = p;
    for (; p < end || (p == end && from < end); p++) {
        char c = p < end ? *p : ',';
        depth += c == '(' || c == '[' || c == '{';
        depth -= depth && (c == ')' || c == ']' || c == '}');
        if (c != ',' || (depth && p < end))
            continue;
        if (inst->noperands == TSL_ASM_OPERANDS) {
            inst->class_ = TSL_ASM_UNKNOWN;
            return;
        }
        inst->operands[inst->noperands++] = read_operand(from, p, arm);
        from = p + 1;
    }
}

bool tsl_asm_is(const tsl_asm_inst *inst, const char *name) {
    return inst->length == strlen(name) && !strncasecmp(inst->name, name, inst->length);
}

static const char *word_end(const char *p, const char *end) {
    while (p < end && !isspace((unsigned char)*p))
        p++;
    return p;
}

static bool is_word(const char *p, const char *end, const char *word) {
    return (size_t)(end - p) == strlen(word) && !strncasecmp(p, word, (size_t)(end - p));
}

static bool is_one_of(const char *p, const char *end, const char *const *words) {
    while (*words && !is_word(p, end, *words))
        words++;
    return *words;
}

typedef struct reader {
    tsl_asm_text *out;
    bool arm, locked, repeated; // `locked`, `repeated`: a prefix of the next instruction was read
    bool labelled;              // there is a label to jump back to
    bool elsewhere;             // the text is in a section of data
} reader;

// Skips labels in front of an instruction.
static const char *skip_labels(reader *r, const char *p, const char *end) {
    for (;;) {
        const char *digits = p, *word = word_end(p, end);
        while (digits < end && isdigit((unsigned char)*digits))
            digits++;
        if (digits > p && digits < end && *digits == ':')
            word = digits + 1;
        else if (word == p || word[-1] != ':' || *p == '%')
            return p;
        r->labelled = true;
        p = trim(word, &end);
    }
}

// ---------------------------------------------------------------- directives

static bool begins(const char *p, const char *end, const char *with) {
    return (size_t)(end - p) >= strlen(with) && !strncasecmp(p, with, strlen(with));
}

// Is what follows ".section" or ".pushsection" a section of code?
static bool is_code(const char *p, const char *end) {
    const char *flags = memchr(p, '"', (size_t)(end - p));
    return begins(p, end, ".text") || (flags && memchr(flags, 'x', (size_t)(end - flags)));
}

static bool is_data(const char *word, const char *end) {
    static const char *const names[] = {".byte",  ".2byte", ".4byte",  ".8byte", ".short",
                                        ".hword", ".word",  ".long",   ".int",   ".quad",
                                        ".octa",  ".inst",  ".ascii",  ".asciz", ".string",
                                        ".value", ".float", ".incbin", NULL};
    return is_one_of(word, end, names);
}

// Lines after such a directive may be assembled several times, in another form, or not at all.
static bool is_generator(const char *word, const char *end) {
    static const char *const names[] = {".if", ".else", ".rep", ".irp", ".macro", ".include"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins(word, end, names[i]))
            return true;
    return false;
}

// Can the line be ignored, because it is a directive or data?  Bytes of code can't be.
static bool is_directive(reader *r, const char *p, const char *end) {
    const char *word = word_end(p, end), *rest = trim(word, &end);
    if (is_word(p, word, ".section") || is_word(p, word, ".pushsection"))
        r->elsewhere = !is_code(rest, end);
    else if (is_word(p, word, ".previous") || is_word(p, word, ".popsection") ||
             is_word(p, word, ".text"))
        r->elsewhere = false;
    else if (is_word(p, word, ".intel_syntax"))
        r->out->intel = true;
    return r->elsewhere || (*p == '.' && !is_data(p, word) && !is_generator(p, word));
}

// Is it "pause" or a long "nop", written as bytes for old assemblers?
static bool is_pause(const char *p, const char *end) {
    static const char *const codes[] = {"0xf3,0x90", "0x0f,0x1f,*", "0x66,0x90", "0x90"};
    char bytes[48];
    size_t n = 0;
    for (; p < end && n < sizeof bytes - 1; p++)
        if (!isspace((unsigned char)*p))
            bytes[n++] = (char)tolower((unsigned char)*p);
    bytes[n] = 0;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!fnmatch(codes[i], bytes, 0))
            return true;
    return false;
}

// ---------------------------------------------------------------- instructions

static bool jumps(const tsl_asm_inst *inst, bool arm) {
    return arm ? *inst->name == 'b' || *inst->name == 'c' || *inst->name == 't'
               : *inst->name == 'j' || !strncmp(inst->name, "loop", 4);
}

// Is it the prefix "lock", written as a byte?
static bool is_lock_byte(const char *p, const char *word, const char *end) {
    const char *byte = trim(word, &end);
    return is_word(p, word, ".byte") &&
           (is_word(byte, end, "0xf0") || is_word(byte, end, "240") || is_word(byte, end, "0360"));
}

// Is the word in front of an instruction and not the instruction itself?
static bool is_prefix(reader *r, const char *p, const char *word) {
    static const char *const again[] = {"rep", "repe", "repz", "repne", "repnz", NULL},
                             *const others[] = {"xacquire", "xrelease", "data16", "notrack",
                                                "bnd",      "ds",       "cs",     NULL};
    bool repeats = is_one_of(p, word, again), locks = is_word(p, word, "lock");
    r->repeated |= repeats;
    r->locked |= locks;
    return repeats || locks || is_one_of(p, word, others);
}

static void read_instruction(reader *r, const char *p, const char *end) {
    p = skip_labels(r, trim(p, &end), end);
    while (p < end && is_prefix(r, p, word_end(p, end)))
        p = trim(word_end(p, end), &end);
    if (p >= end || is_directive(r, p, end))
        return;
    const char *word = word_end(p, end);
    if (!r->arm && is_lock_byte(p, word, end)) {
        r->locked = true;
        return;
    }
    bool generates = is_generator(p, word); // loses its dot, which would mean bytes of code
    tsl_asm_inst inst = {
        .name = p + generates, .length = (size_t)(word - p) - generates, .locked = r->locked};
    read_operands(&inst, word, end, r->arm);
    if (inst.class_ == TSL_ASM_UNKNOWN && inst.noperands < TSL_ASM_OPERANDS && !generates)
        tsl_asm_look_up(&inst, r->arm);
    if (is_word(p, word, ".byte") && is_pause(word, end))
        inst.class_ = TSL_ASM_HINT;
    if (r->repeated && inst.class_ != TSL_ASM_HINT) {
        inst.class_ = TSL_ASM_UNKNOWN;
        r->out->strings = true;
    }
    r->locked = r->repeated = false;
    r->out->repeats |= r->labelled && jumps(&inst, r->arm);
    tsl_vec_push(&r->out->insts, inst);
}

tsl_asm_text tsl_asm_parse(const char *text, size_t length, bool arm) {
    tsl_asm_text out = {.text = plain_text(text, length, arm)};
    reader r = {.out = &out, .arm = arm};
    for (const char *p = out.text; *p;) {
        size_t n = strcspn(p, ";\n");
        read_instruction(&r, p, p + n);
        p += n + (p[n] != 0);
    }
    return out;
}

void tsl_asm_drop(tsl_asm_text *t) {
    tsl_vec_drop(&t->insts);
    tsl_free(t->text);
}
