#include "explore/inputs.h"

#include <string.h>

tsl_inputs *tsl_inputs_get(tsl_inputs *shared, const tsl_solver_options *options) {
    tsl_inputs *in = shared;
    if (!in) {
        in = tsl_alloc(sizeof *in);
        *in = (tsl_inputs){.terms = tsl_terms_new(), .options = *options};
        tsl_vec_push(&in->sets, (tsl_input_set){.users = 1});
    }
    in->users++;
    return in;
}

void tsl_inputs_drop(tsl_inputs *in) {
    if (--in->users)
        return;
    if (in->solver)
        tsl_solver_free(in->solver);
    tsl_terms_free(in->terms);
    tsl_vars_drop(&in->vars);
    for (size_t i = 0; i < in->sets.len; i++)
        tsl_vec_drop(&in->sets.data[i].values);
    tsl_vec_drop(&in->sets);
    tsl_vec_drop(&in->spare);
    tsl_vec_drop(&in->model);
    tsl_vec_drop(&in->bytes);
    tsl_free(in);
}

// ---------------------------------------------------------------- sets

static uint32_t new_set(tsl_inputs *in) {
    if (!in->spare.len) {
        tsl_vec_push(&in->sets, (tsl_input_set){.users = 1});
        return (uint32_t)in->sets.len - 1;
    }
    uint32_t set = tsl_vec_pop(&in->spare);
    in->sets.data[set].users = 1;
    tsl_vec_clear(&in->sets.data[set].values);
    return set;
}

void tsl_inputs_hold(tsl_inputs *in, uint32_t set) {
    if (set)
        in->sets.data[set].users++;
}

void tsl_inputs_release(tsl_inputs *in, uint32_t set) {
    if (set && --in->sets.data[set].users == 0)
        tsl_vec_push(&in->spare, set);
}

static uint32_t set_of_run(tsl_inputs *in, const tsl_import *run) {
    if (!run->inputs.len)
        return 0;
    uint32_t set = new_set(in);
    tsl_input_set *s = &in->sets.data[set];
    for (size_t i = 0; i < run->inputs.len; i++) {
        const tsl_import_input *input = &run->inputs.data[i];
        tsl_vec_push(&s->values,
                     (tsl_input_value){input->var, tsl_import_value(run, input->label)});
    }
    return set;
}

static bool has_input(const tsl_inputs *in, uint32_t set, uint32_t input) {
    const tsl_input_set *s = &in->sets.data[set];
    for (size_t i = 0; i < s->values.len; i++)
        if (in->vars.vars.data[s->values.data[i].var].input == input)
            return true;
    return false;
}

uint32_t tsl_inputs_join(tsl_inputs *in, uint32_t set, uint32_t other) {
    uint32_t both = new_set(in);
    const uint32_t parts[] = {set, other};
    for (unsigned k = 0; k < 2; k++) {
        const tsl_input_set *s = &in->sets.data[parts[k]];
        for (size_t i = 0; i < s->values.len; i++)
            if (k == 0 || !has_input(in, set, in->vars.vars.data[s->values.data[i].var].input))
                tsl_vec_push(&in->sets.data[both].values, s->values.data[i]);
    }
    return both;
}

static void load_model(tsl_inputs *in, uint32_t set) {
    tsl_vec_reserve(&in->model, in->vars.vars.len);
    in->model.len = in->vars.vars.len;
    memset(in->model.data, 0, in->model.len * sizeof *in->model.data);
    const tsl_input_set *s = &in->sets.data[set];
    for (size_t i = 0; i < s->values.len; i++)
        in->model.data[s->values.data[i].var] = s->values.data[i].value;
}

tsl_value tsl_inputs_value(tsl_inputs *in, uint32_t set, tsl_term term) {
    tsl_evaluator ev;
    load_model(in, set);
    tsl_evaluator_init(&ev, in->terms);
    tsl_value value = tsl_term_eval(&ev, term, in->model.data, in->model.len);
    tsl_evaluator_drop(&ev);
    return value;
}

static void check(tsl_inputs *in, const tsl_import *run) {
    tsl_evaluator ev;
    tsl_evaluator_init(&ev, in->terms);
    uint32_t label = 0;
    bool ok = tsl_import_check(run, &in->vars, &ev, &label);
    tsl_evaluator_drop(&ev);
    TSL_BUG_ON(!ok, "expression %u of the run does not have the value that its inputs give it",
               label);
}

bool tsl_inputs_read(tsl_inputs *in, tsl_import *import, const tsl_run *run, uint32_t *set) {
    const tsl_trace *trace = &run->trace;
    if (trace->nnodes <= 1 && import->nodes.len <= 1 && *set == 0) // the first node stands for none
        return true;
    tsl_err err = {0};
    bool sound = tsl_import_read(import, in->terms, &in->vars, trace->nodes, trace->nnodes, &err);
    if (in->options.check)
        check(in, import);
    tsl_inputs_release(in, *set);
    *set = set_of_run(in, import);
    return sound;
}

tsl_term tsl_inputs_condition(const tsl_inputs *in, const tsl_import *import, uint64_t label,
                              unsigned taken) {
    tsl_term cond = tsl_import_condition(import, in->terms, label);
    return cond.i && !(taken & TSL_BRANCH_TRUE) ? tsl_term_not(in->terms, cond) : cond;
}

// ---------------------------------------------------------------- to a Plan

static void put(tsl_inputs *in, const tsl_var *var, tsl_value value) {
    size_t size = var->width / 8;
    uint8_t raw[16];
    memcpy(raw, &value.lo, 8);
    memcpy(raw + 8, &value.hi, 8);
    if (var->offset + size <= in->bytes.len)
        memcpy(in->bytes.data + var->offset, raw, size);
}

void tsl_inputs_to_plan(tsl_inputs *in, uint32_t set, tsl_plan *plan) {
    const tsl_input_set *s = &in->sets.data[set];
    tsl_vec_clear(&plan->inputs);
    tsl_vec_clear(&plan->input_bytes);
    plan->input_seed = TSL_SIMPLE_INPUTS + TSL_SIMPLE_ZEROS;
    for (size_t i = 0; i < s->values.len;) {
        uint32_t number = in->vars.vars.data[s->values.data[i].var].input;
        const tsl_input *input = &in->vars.inputs.data[number];
        size_t end = 0, k = i;
        for (; k < s->values.len; k++) {
            const tsl_var *var = &in->vars.vars.data[s->values.data[k].var];
            if (var->input != number)
                break;
            end = var->offset + var->width / 8 > end ? var->offset + var->width / 8 : end;
        }
        tsl_vec_reserve(&in->bytes, end);
        in->bytes.len = end;
        memset(in->bytes.data, 0, end);
        for (; i < k; i++)
            put(in, &in->vars.vars.data[s->values.data[i].var], s->values.data[i].value);
        tsl_plan_add_input(plan, input->thread, input->index, in->bytes.data, (uint32_t)end);
    }
}

// ---------------------------------------------------------------- solving

enum tsl_sat tsl_inputs_solve(tsl_inputs *in, const tsl_path_condition *path, tsl_term goal,
                              uint32_t *set) {
    if (!in->solver)
        in->solver = tsl_solver_new(in->terms, &in->options);
    load_model(in, *set);
    enum tsl_sat answer = tsl_solver_solve(in->solver, path->data, path->len, goal, &in->model);
    in->infeasible += answer == TSL_UNSAT;
    in->unknown += answer == TSL_UNKNOWN;
    if (answer != TSL_SAT)
        return answer;
    in->optimistic += tsl_solver_last_was_optimistic(in->solver);
    uint32_t now = new_set(in);
    const tsl_input_set *old = &in->sets.data[*set];
    tsl_input_set *s = &in->sets.data[now];
    for (size_t i = 0; i < old->values.len; i++) {
        uint32_t var = old->values.data[i].var;
        tsl_vec_push(&s->values, (tsl_input_value){var, in->model.data[var]});
    }
    tsl_inputs_release(in, *set);
    *set = now;
    return TSL_SAT;
}
