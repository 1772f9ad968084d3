// Model programs and their text form; see program.h.
#include "vm/program.h"

#include <stdio.h>
#include <string.h>

#include "abi/wire.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"

static const struct {
    const char *name, *operands;
} ops[] = {
#define TSL_VM_OP(name, text, operands, event) {text, operands},
#include "vm/ops.def"
#undef TSL_VM_OP
};

const char *tsl_vm_op_name(unsigned op) { return ops[op].name; }
const char *tsl_vm_op_operands(unsigned op) { return ops[op].operands; }

uint64_t tsl_vm_word_addr(unsigned word) { return 0x10000 + 8 * word; }
uint64_t tsl_vm_thread_addr(unsigned number) { return 0x900000 + 0x400ull * number; }
uint32_t tsl_vm_site(unsigned thread, unsigned pc) { return 1 + thread * 64 + pc; }

bool tsl_vm_names_thread(unsigned op) {
    return op == TSL_VM_CREATE || op == TSL_VM_JOIN || op == TSL_VM_TRYJOIN ||
           op == TSL_VM_CANCEL || op == TSL_VM_KILL;
}

static bool has_op(const tsl_vm_program *program, unsigned op) {
    for (unsigned t = 0; t < program->nthreads; t++)
        for (unsigned i = 0; i < program->threads[t].len; i++)
            if (program->threads[t].ins[i].op == op)
                return true;
    return false;
}

void tsl_vm_program_seal(tsl_vm_program *program) {
    program->cancels = has_op(program, TSL_VM_CANCEL);
    program->kills = has_op(program, TSL_VM_KILL);
    for (unsigned t = 0; t < program->nthreads; t++)
        program->threads[t].number = (uint16_t)(t ? 4096 + 16 * t : 0);
    const tsl_vm_code *main = &program->threads[0];
    unsigned children = 0;
    for (unsigned i = 0; i < main->len; i++) {
        const tsl_vm_ins *ins = &main->ins[i];
        if (ins->op == TSL_VM_CREATE && ins->obj && program->threads[ins->obj].number >= 4096)
            program->threads[ins->obj].number = (uint16_t)++children;
    }
}

unsigned tsl_vm_program_steps(const tsl_vm_program *program) {
    unsigned steps = program->nsems + program->nbarriers;
    for (unsigned t = 0; t < program->nthreads; t++) {
        steps += 2;
        for (unsigned i = 0; i < program->threads[t].len; i++) {
            unsigned op = program->threads[t].ins[i].op;
            bool waits = op == TSL_VM_WAIT || op == TSL_VM_TIMEDWAIT;
            steps += waits ? 3 : 2;
        }
    }
    if (program->cancels)
        steps *= 3;
    if (program->kills)
        steps *= 6;
    return tsl_vm_program_has_loops(program) ? 16 * steps : steps;
}

static bool is_step(unsigned op) {
    static const uint8_t kinds[] = {
#define TSL_VM_OP(name, text, operands, event) TSL_EV_##event,
#include "vm/ops.def"
#undef TSL_VM_OP
    };
    return kinds[op] != TSL_EV_NONE;
}

int tsl_vm_loop_from(const tsl_vm_code *code, unsigned pc) {
    const tsl_vm_ins *ins = &code->ins[pc];
    if ((ins->op != TSL_VM_AGAIN && ins->op != TSL_VM_AGAINEQ) || ins->u > pc)
        return -1;
    for (unsigned i = pc - ins->u; i < pc; i++)
        if (is_step(code->ins[i].op))
            return (int)(pc - ins->u);
    return -1;
}

bool tsl_vm_program_has_loops(const tsl_vm_program *program) {
    for (unsigned t = 0; t < program->nthreads; t++)
        for (unsigned i = 0; i < program->threads[t].len; i++)
            if (tsl_vm_loop_from(&program->threads[t], i) >= 0)
                return true;
    return false;
}

unsigned tsl_vm_program_inputs(const tsl_vm_program *program, unsigned thread) {
    unsigned n = 0;
    for (unsigned i = 0; i < program->threads[thread].len; i++)
        n += program->threads[thread].ins[i].op == TSL_VM_INPUT;
    return n;
}

bool tsl_vm_program_has_inputs(const tsl_vm_program *program) {
    unsigned n = 0;
    for (unsigned t = 0; t < program->nthreads; t++)
        n += tsl_vm_program_inputs(program, t);
    return n > 0;
}

uint16_t *tsl_vm_skip_of(tsl_vm_ins *ins) {
    switch (ins->op) {
    case TSL_VM_ONCE:
        return &ins->v;
    case TSL_VM_SKIPEQ:
    case TSL_VM_SKIPNE:
    case TSL_VM_SKIPLT:
    case TSL_VM_SKIPSAME:
        return &ins->u;
    default:
        return NULL;
    }
}

// ---------------------------------------------------------------- print

static void print_reg(tsl_buf *out, unsigned reg) {
    if (reg == TSL_VM_NO_REG)
        tsl_buf_puts(out, " -");
    else
        tsl_buf_add(out, " r%u", reg);
}

static const char *const orders[] = {"relaxed", "consume", "acquire",
                                     "release", "acq_rel", "seq_cst"};

static void print_ins(const tsl_vm_ins *ins, tsl_buf *out) {
    tsl_buf_add(out, "  %s", ops[ins->op].name);
    for (const char *p = ops[ins->op].operands; *p; p++)
        switch (*p) {
        case 'o':
            tsl_buf_add(out, " %u", ins->obj);
            break;
        case 'm':
            tsl_buf_add(out, " %u", ins->mutex);
            break;
        case 'f':
            tsl_buf_add(out, " %u", ins->off);
            break;
        case 's':
            tsl_buf_add(out, " %u", ins->size);
            break;
        case 'v':
            tsl_buf_add(out, " %u", ins->v);
            break;
        case 'u':
            tsl_buf_add(out, " %u", ins->u);
            break;
        case 'q':
        case 'Q':
            print_reg(out, ins->reg2);
            break;
        case 'a':
            if (ins->weaker || ins->fails_weaker)
                tsl_buf_add(out, " %s", orders[tsl_vm_order(ins)]);
            break;
        case 'b':
            if (ins->fails_weaker)
                tsl_buf_add(out, " %s", orders[tsl_vm_failure_order(ins)]);
            break;
        default:
            print_reg(out, ins->reg);
        }
    tsl_buf_putc(out, '\n');
}

void tsl_vm_program_print(const tsl_vm_program *program, tsl_buf *out) {
    for (unsigned i = 0; i < program->nsems; i++)
        tsl_buf_add(out, "sem %u %u\n", i, program->sems[i]);
    for (unsigned i = 0; i < program->nbarriers; i++)
        tsl_buf_add(out, "barrier %u %u\n", i, program->barriers[i]);
    if (program->spurious)
        tsl_buf_puts(out, "spurious\n");
    if (program->at_exit)
        tsl_buf_add(out, "atexit %u\n", program->at_exit - 1u);
    for (unsigned t = 0; t < program->nthreads; t++) {
        tsl_buf_add(out, "thread %u\n", t);
        for (unsigned i = 0; i < program->threads[t].len; i++)
            print_ins(&program->threads[t].ins[i], out);
    }
}

// ---------------------------------------------------------------- parse

enum { MAX_WORDS = 8 };

// One line, cut at blanks.
typedef struct line {
    char text[128];
    char *words[MAX_WORDS];
    unsigned n, number;
} line;

static const char *next_line(const char *text, line *l) {
    size_t len = strcspn(text, "\n"), kept = strcspn(text, "#\n");
    if (kept >= sizeof l->text)
        kept = sizeof l->text - 1;
    memcpy(l->text, text, kept);
    l->text[kept] = 0;
    l->n = 0;
    l->number++;
    char *save = NULL;
    for (char *w = strtok_r(l->text, " \t\r", &save); w && l->n < MAX_WORDS;
         w = strtok_r(NULL, " \t\r", &save))
        l->words[l->n++] = w;
    return text[len] ? text + len + 1 : text + len;
}

static bool wrong(const line *l, const char *what, tsl_err *err) {
    return tsl_fail(err, TSL_EINPUT, "line %u: %s", l->number, what);
}

static bool number(const line *l, unsigned word, uint64_t below, uint64_t *out, tsl_err *err) {
    if (word >= l->n)
        return wrong(l, "an operand is missing", err);
    if (tsl_num_u64(l->words[word], strlen(l->words[word]), out) != TSL_NUM_OK)
        return wrong(l, "not a number", err);
    return *out < below || wrong(l, "a number is too large", err);
}

static bool parse_reg(const line *l, unsigned word, bool optional, uint8_t *reg, tsl_err *err) {
    if (word >= l->n)
        return wrong(l, "a register is missing", err);
    const char *w = l->words[word];
    if (optional && strcmp(w, "-") == 0) {
        *reg = TSL_VM_NO_REG;
        return true;
    }
    if (w[0] != 'r' || w[1] < '0' || w[1] >= '0' + TSL_VM_REGS || w[2])
        return wrong(l, "not a register", err);
    *reg = (uint8_t)(w[1] - '0');
    return true;
}

static bool parse_order(const line *l, unsigned word, uint8_t *weaker, tsl_err *err) {
    for (unsigned i = 0; word < l->n && i < 6; i++)
        if (strcmp(l->words[word], orders[i]) == 0) {
            *weaker = (uint8_t)(5 - i);
            return true;
        }
    return word >= l->n || wrong(l, "not a memory order", err);
}

static bool parse_operand(const line *l, unsigned word, char letter, tsl_vm_ins *ins,
                          tsl_err *err) {
    uint64_t x = 0;
    if (letter == 'r' || letter == 'R')
        return parse_reg(l, word, letter == 'R', &ins->reg, err);
    if (letter == 'q' || letter == 'Q')
        return parse_reg(l, word, letter == 'Q', &ins->reg2, err);
    if (letter == 'a' || letter == 'b')
        return parse_order(l, word, letter == 'a' ? &ins->weaker : &ins->fails_weaker, err);
    bool thread = tsl_vm_names_thread(ins->op);
    uint64_t below = letter == 'o'              ? thread ? TSL_VM_THREADS : TSL_VM_OBJECTS
                     : letter == 'm'            ? TSL_VM_OBJECTS
                     : letter == 'f'            ? 8
                     : letter == 's'            ? 9
                     : ins->op == TSL_VM_CHOOSE ? 9
                                                : 65536;
    if (!number(l, word, below, &x, err))
        return false;
    switch (letter) {
    case 'o':
        ins->obj = (uint8_t)x;
        break;
    case 'm':
        ins->mutex = (uint8_t)x;
        break;
    case 'f':
        ins->off = (uint8_t)x;
        break;
    case 's':
        ins->size = (uint8_t)x;
        break;
    case 'v':
        ins->v = (uint16_t)x;
        break;
    default:
        ins->u = (uint16_t)x;
    }
    return true;
}

static bool parse_ins(const line *l, tsl_vm_program *program, tsl_err *err) {
    tsl_vm_code *code = &program->threads[program->nthreads ? program->nthreads - 1 : 0];
    if (!program->nthreads)
        return wrong(l, "an instruction before the first thread", err);
    if (code->len == TSL_VM_CODE)
        return wrong(l, "too many instructions", err);
    tsl_vm_ins ins = {.op = TSL_VM_OP_COUNT, .reg = TSL_VM_NO_REG, .reg2 = TSL_VM_NO_REG};
    for (unsigned op = 0; op < TSL_VM_OP_COUNT; op++)
        if (strcmp(l->words[0], ops[op].name) == 0)
            ins.op = (uint8_t)op;
    if (ins.op == TSL_VM_OP_COUNT)
        return wrong(l, "no such instruction", err);
    const char *operands = ops[ins.op].operands;
    if (l->n > 1 + strlen(operands) || l->n < 1 + strcspn(operands, "ab"))
        return wrong(l, "wrong number of operands", err);
    for (unsigned i = 0; operands[i]; i++)
        if (!parse_operand(l, i + 1, operands[i], &ins, err))
            return false;
    bool memory = operands[0] == 'o' && operands[1] == 'f';
    if (memory && (ins.size == 0 || (ins.size & (ins.size - 1)) || ins.off + ins.size > 8))
        return wrong(l, "the access does not fit the word", err);
    if (ins.op == TSL_VM_CREATE && ins.obj == 0)
        return wrong(l, "main is not created", err);
    if (ins.op == TSL_VM_READAT || ins.op == TSL_VM_WRITEAT)
        ins.size = 8;
    code->ins[code->len++] = ins;
    if (tsl_vm_program_inputs(program, program->nthreads - 1u) > TSL_VM_INPUTS)
        return wrong(l, "too many inputs", err);
    return true;
}

static bool parse_declared(const line *l, uint8_t *values, uint8_t *count, tsl_err *err) {
    uint64_t at, value;
    if (!number(l, 1, TSL_VM_OBJECTS, &at, err) || !number(l, 2, 100, &value, err))
        return false;
    if (at != *count)
        return wrong(l, "declare 0, 1, ... in order", err);
    values[(*count)++] = (uint8_t)value;
    return true;
}

static bool parse_line(const line *l, tsl_vm_program *program, tsl_err *err) {
    uint64_t x;
    if (strcmp(l->words[0], "thread") == 0) {
        if (!number(l, 1, TSL_VM_THREADS, &x, err))
            return false;
        if (x != program->nthreads)
            return wrong(l, "threads come in order", err);
        program->nthreads++;
        return true;
    }
    if (program->nthreads)
        return parse_ins(l, program, err);
    if (strcmp(l->words[0], "sem") == 0)
        return parse_declared(l, program->sems, &program->nsems, err);
    if (strcmp(l->words[0], "barrier") == 0)
        return parse_declared(l, program->barriers, &program->nbarriers, err);
    if (strcmp(l->words[0], "spurious") == 0)
        return program->spurious = true;
    if (strcmp(l->words[0], "atexit") == 0) {
        if (!number(l, 1, TSL_VM_WORDS, &x, err))
            return false;
        program->at_exit = (uint8_t)(x + 1);
        return true;
    }
    return wrong(l, "not understood", err);
}

static bool object_exists(const tsl_vm_program *program, const tsl_vm_ins *ins) {
    switch (ins->op) {
    case TSL_VM_SEMWAIT:
    case TSL_VM_SEMTRYWAIT:
    case TSL_VM_SEMTIMEDWAIT:
    case TSL_VM_SEMPOST:
    case TSL_VM_SEMGET:
        return ins->obj < program->nsems;
    case TSL_VM_BARRIER:
        return ins->obj < program->nbarriers;
    case TSL_VM_CREATE:
    case TSL_VM_JOIN:
    case TSL_VM_TRYJOIN:
    case TSL_VM_CANCEL:
    case TSL_VM_KILL:
        return ins->obj < program->nthreads;
    default:
        return true;
    }
}

static bool objects_exist(const tsl_vm_program *program) {
    for (unsigned t = 0; t < program->nthreads; t++)
        for (unsigned i = 0; i < program->threads[t].len; i++)
            if (!object_exists(program, &program->threads[t].ins[i]))
                return false;
    return true;
}

bool tsl_vm_program_parse(const char *text, tsl_vm_program *program, tsl_err *err) {
    memset(program, 0, sizeof *program);
    line l = {0};
    while (*text) {
        text = next_line(text, &l);
        if (l.n && !parse_line(&l, program, err))
            return false;
    }
    if (!program->nthreads)
        return wrong(&l, "no thread", err);
    for (unsigned i = 0; i < program->nbarriers; i++)
        if (!program->barriers[i])
            return wrong(&l, "a barrier for nobody", err);
    if (!objects_exist(program))
        return wrong(&l, "a semaphore, barrier or thread that is not declared", err);
    tsl_vm_program_seal(program);
    return true;
}

bool tsl_vm_program_load(const char *path, tsl_vm_program *program, tsl_err *err) {
    char *text;
    size_t len;
    if (!tsl_file_read(path, &text, &len, err))
        return false;
    bool ok = tsl_vm_program_parse(text, program, err);
    tsl_free(text);
    return ok;
}
