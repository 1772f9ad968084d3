// Looks up instructions that are common in inline assembly; see asmtext.h.
#include "cc/asmtext.h"

#include <string.h>
#include <strings.h>

enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3, SEQ_CST = 5 };

typedef struct row {
    const char *names; // a blank stands around each; a star at the end matches any rest
    enum tsl_asm_class class_;
    unsigned size, order;
} row;

// On x86 a letter after the name may give the size: b, w, l, q.
static const row x86[] = {
    {" nop pause endbr64 tpause ", TSL_ASM_HINT, 0, 0},
    {" mfence serialize ", TSL_ASM_FENCE, 0, SEQ_CST},
    {" lfence ", TSL_ASM_FENCE, 0, ACQUIRE},
    {" sfence ", TSL_ASM_FENCE, 0, RELEASE},
    {" mov movabs movnti movbe vmov* ", TSL_ASM_MOVE, 0, 0},
    {" movss movd ", TSL_ASM_MOVE, 4, 0},
    {" movsd movlps movhps movlpd movhpd ", TSL_ASM_MOVE, 8, 0},
    {" movaps movups movapd movupd movdqa movdqu movntdq movntps ", TSL_ASM_MOVE, 16, 0},
    {" movzb* movsb* movzx* movsx* ", TSL_ASM_MOVE, 1, 0},
    {" movzw* movsw* ", TSL_ASM_MOVE, 2, 0},
    {" movsl* ", TSL_ASM_MOVE, 4, 0},
    {" add sub and or xor adc sbb shl shr sar sal rol ror rcl rcr shld shrd inc dec neg not "
     "xadd cmpxchg pop ",
     TSL_ASM_UPDATE, 0, 0},
    {" cmpxchg8b ", TSL_ASM_UPDATE, 8, 0},
    {" cmpxchg16b ", TSL_ASM_UPDATE, 16, 0},
    {" xchg ", TSL_ASM_SWAP, 0, 0},
    {" bts btr btc ", TSL_ASM_BITS, 0, 0},
    {" bt ", TSL_ASM_BIT, 0, 0},
    {" cmp test imul mul div idiv bsf bsr popcnt lzcnt tzcnt crc32 push cmov* ", TSL_ASM_READ, 0,
     0},
    {" set* ", TSL_ASM_WRITE, 1, 0},
    {" lea prefetch* clflush clflushopt clwb bswap cltq cqto cltd cwtl cwtd cbtw cld std stc clc "
     "cmc pushf pushfq popf popfq rdtsc rdtscp rdrand rdseed cpuid rdpid ud2 int3 j* lahf sahf "
     "xgetbv ",
     TSL_ASM_NONE, 0, 0},
};

static const row arm64[] = {
    {" nop yield wfe sev sevl isb hint ", TSL_ASM_HINT, 0, 0},
    {" dmb dsb ", TSL_ASM_FENCE, 0, SEQ_CST},
    {" ldrb ldrsb ldurb ldursb ", TSL_ASM_READ, 1, 0},
    {" ldrh ldrsh ldurh ldursh ", TSL_ASM_READ, 2, 0},
    {" ldrsw ldursw ", TSL_ASM_READ, 4, 0},
    {" ldr ldur ", TSL_ASM_READ, 0, 0},
    {" strb sturb ", TSL_ASM_WRITE, 1, 0},
    {" strh sturh ", TSL_ASM_WRITE, 2, 0},
    {" str stur ", TSL_ASM_WRITE, 0, 0},
    {" ldarb ldaprb ldlarb ", TSL_ASM_LOAD, 1, ACQUIRE},
    {" ldarh ldaprh ldlarh ", TSL_ASM_LOAD, 2, ACQUIRE},
    {" ldar ldapr ldlar ", TSL_ASM_LOAD, 0, ACQUIRE},
    {" stlrb stllrb ", TSL_ASM_STORE, 1, RELEASE},
    {" stlrh stllrh ", TSL_ASM_STORE, 2, RELEASE},
    {" stlr stllr ", TSL_ASM_STORE, 0, RELEASE},
    {" ldxrb ldaxrb stxrb stlxrb ", TSL_ASM_EXCLUSIVE, 1, 0},
    {" ldxrh ldaxrh stxrh stlxrh ", TSL_ASM_EXCLUSIVE, 2, 0},
    {" ldxr ldaxr stxr stlxr ", TSL_ASM_EXCLUSIVE, 0, 0},
    {" swp* cas* ldadd* ldclr* ldeor* ldset* ldsmax* ldsmin* ldumax* ldumin* stadd* stclr* steor* "
     "stset* stsmax* stsmin* stumax* stumin* ",
     TSL_ASM_SWAP, 0, 0},
    {" add adds sub subs mov movz movk movn mvn and ands orr orn eor bic lsl lsr asr ror cmp cmn "
     "tst cbz cbnz tbz tbnz b b.* cset csel csinc csetm ccmp prfm mrs adr adrp ubfx sxtw uxtw neg "
     "mul madd clrex clz rbit rev sevl ",
     TSL_ASM_NONE, 0, 0},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool in_names(const char *names, const char *name, size_t n) {
    for (const char *p = names + 1; *p; p += strcspn(p, " ") + 1) {
        size_t length = strcspn(p, " ");
        bool open = length && p[length - 1] == '*';
        if (open ? n >= length - 1 && !strncasecmp(p, name, length - 1)
                 : n == length && !strncasecmp(p, name, n))
            return true;
    }
    return false;
}

static const row *find(const row *rows, size_t count, const char *name, size_t n) {
    for (size_t i = 0; i < count; i++)
        if (in_names(rows[i].names, name, n))
            return &rows[i];
    return NULL;
}

unsigned tsl_asm_size(const char *letters, char letter) {
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? 1u << (at - letters) : 0;
}

static void set(tsl_asm_inst *inst, const row *found, unsigned size) {
    inst->class_ = found->class_;
    inst->size = found->size ? found->size : size;
    inst->order = found->order;
}

static void look_up_x86(tsl_asm_inst *inst) {
    const char *name = inst->name;
    size_t n = inst->length;
    // Without two operands movs moves strings, whose addresses are in registers.
    if (n == 5 && !strncasecmp(name, "movs", 4) && inst->noperands < 2)
        return;
    const row *exact = find(x86, COUNT(x86), name, n);
    unsigned size = tsl_asm_size("bwlq", name[n - 1]);
    const row *shorter = size && !exact ? find(x86, COUNT(x86), name, n - 1) : NULL;
    if (exact)
        set(inst, exact, 0);
    else if (shorter)
        set(inst, shorter, size);
    if (inst->class_ == TSL_ASM_UPDATE && (tsl_asm_is(inst, "pop") || tsl_asm_is(inst, "popq")))
        inst->class_ = TSL_ASM_WRITE;
    if (inst->class_ == TSL_ASM_FENCE || inst->class_ == TSL_ASM_HINT)
        inst->locked = false;
}

static void look_up_arm(tsl_asm_inst *inst) {
    const row *found = find(arm64, COUNT(arm64), inst->name, inst->length);
    if (!found)
        return;
    set(inst, found, 0);
    char last = inst->name[inst->length - 1];
    if (found->class_ == TSL_ASM_SWAP)
        inst->size = last == 'b' ? 1 : last == 'h' ? 2 : 0;
    if (found->class_ == TSL_ASM_FENCE) {
        const char *p = inst->name + inst->length;
        p += strspn(p, " \t");
        size_t n = strcspn(p, " \t;\n");
        inst->order = n > 2 && !strncasecmp(p + n - 2, "ld", 2)   ? ACQUIRE
                      : n > 2 && !strncasecmp(p + n - 2, "st", 2) ? RELEASE
                                                                  : SEQ_CST;
    }
}

void tsl_asm_look_up(tsl_asm_inst *inst, bool arm) {
    if (arm)
        look_up_arm(inst);
    else
        look_up_x86(inst);
}
