// Removes greedily; see shrink.h.
#include "vm/shrink.h"

#include <string.h>

// Instructions that jump over the removed one jump one less.
static void remove_ins(tsl_vm_code *code, unsigned at) {
    for (unsigned i = 0; i < at; i++) {
        uint16_t *skip = tsl_vm_skip_of(&code->ins[i]);
        if (skip && i + *skip >= at)
            --*skip;
    }
    for (unsigned i = at + 1; i < code->len; i++) {
        int from = tsl_vm_loop_from(code, i);
        if (from >= 0 && (unsigned)from <= at)
            code->ins[i].u--;
    }
    memmove(&code->ins[at], &code->ins[at + 1], (code->len - at - 1u) * sizeof *code->ins);
    code->len--;
    memset(&code->ins[code->len], 0, sizeof *code->ins);
}

static bool is_about(const tsl_vm_ins *ins, unsigned thread) {
    return tsl_vm_names_thread(ins->op) && ins->obj == thread;
}

// Removes the thread, everything that names it, and its number.
static void remove_thread(tsl_vm_program *p, unsigned thread) {
    for (unsigned t = 0; t < p->nthreads; t++)
        for (unsigned i = p->threads[t].len; i-- > 0;)
            if (is_about(&p->threads[t].ins[i], thread))
                remove_ins(&p->threads[t], i);
    memmove(&p->threads[thread], &p->threads[thread + 1],
            (p->nthreads - thread - 1u) * sizeof *p->threads);
    p->nthreads--;
    memset(&p->threads[p->nthreads], 0, sizeof *p->threads);
    for (unsigned t = 0; t < p->nthreads; t++)
        for (unsigned i = 0; i < p->threads[t].len; i++)
            for (unsigned later = thread + 1; later <= p->nthreads; later++)
                if (is_about(&p->threads[t].ins[i], later)) {
                    p->threads[t].ins[i].obj--;
                    break;
                }
}

static bool try_candidate(tsl_vm_program *program, tsl_vm_program *candidate, tsl_vm_fails *fails,
                          void *context) {
    tsl_vm_program_seal(candidate);
    if (!fails(candidate, context))
        return false;
    *program = *candidate;
    return true;
}

static bool shrink_once(tsl_vm_program *program, tsl_vm_fails *fails, void *context) {
    tsl_vm_program candidate;
    for (unsigned t = program->nthreads; t-- > 1;) {
        candidate = *program;
        remove_thread(&candidate, t);
        if (try_candidate(program, &candidate, fails, context))
            return true;
    }
    for (unsigned t = 0; t < program->nthreads; t++)
        for (unsigned i = program->threads[t].len; i-- > 0;) {
            candidate = *program;
            remove_ins(&candidate.threads[t], i);
            if (try_candidate(program, &candidate, fails, context))
                return true;
        }
    return false;
}

void tsl_vm_shrink(tsl_vm_program *program, tsl_vm_fails *fails, void *context) {
    while (shrink_once(program, fails, context))
        ;
}
