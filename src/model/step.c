// How do operations change in a sleep set, and how are they written into a Plan?  See step.h.
#include "model/step.h"

// ---------------------------------------------------------------- dependence

void tsl_op_pass(tsl_op *sleeping, const tsl_op *executed) {
    if (sleeping->kind == TSL_EV_BARRIER_ARRIVE && executed->kind == TSL_EV_BARRIER_ARRIVE &&
        sleeping->access[0].addr == executed->access[0].addr && sleeping->access[0].res > 0)
        sleeping->access[0].res--;
}

static tsl_op with_result(const tsl_op *op, bool most) {
    tsl_op out = *op;
    for (unsigned i = 0; i < out.naccesses; i++) {
        tsl_access *a = &out.access[i];
        bool add = tsl_role_rule(a->kind) == TSL_RULE_ADD_IF;
        if (a->kind == TSL_EV_BARRIER_ARRIVE)
            a->res = most ? 0 : UINT16_MAX;
        else if (tsl_op_varies(a->kind))
            a->role = !most ? TSL_ROLE_READ : add ? TSL_ROLE_ADD : TSL_ROLE_WRITE;
    }
    return out;
}

tsl_op tsl_op_at_most(const tsl_op *op) { return with_result(op, true); }
tsl_op tsl_op_at_least(const tsl_op *op) { return with_result(op, false); }

// ---------------------------------------------------------------- writing

// Some sort of object that has this size; dependence does not care which.
static unsigned object_of_size(uint64_t size) {
    unsigned object = 0;
    while (object + 1 < TSL_SYNC_OBJECTS && tsl_sync_size(object) != size)
        object++;
    return object;
}

static void push_event(const tsl_op *op, unsigned i, unsigned kind, unsigned res, tsl_events *out) {
    const tsl_access *a = &op->access[i];
    tsl_vec_push(out, (tsl_event){.addr = a->addr & 0xffffffffffffull,
                                  .kind = kind,
                                  .arg = a->space == TSL_SPACE_MEMORY ? TSL_ARG_RANGE
                                                                      : object_of_size(a->size),
                                  .thread = op->thread,
                                  .res = (uint16_t)res});
    if (a->space == TSL_SPACE_MEMORY)
        tsl_vec_push(out, (tsl_event){.addr = a->size & 0xffffffffffffull,
                                      .kind = TSL_EV_LENGTH,
                                      .thread = op->thread});
}

void tsl_op_to_events(const tsl_op *op, tsl_events *out) {
    bool main_access = op->naccesses && op->access[0].kind == op->kind;
    if (main_access)
        push_event(op, 0, op->kind, op->access[0].res, out);
    else
        tsl_vec_push(out, (tsl_event){.kind = op->kind, .thread = op->thread});
    for (unsigned i = main_access; i < op->naccesses; i++)
        push_event(op, i, TSL_EV_ALSO, op->access[i].kind | (unsigned)op->access[i].res << 8, out);
    if (op->unknown)
        tsl_vec_push(out,
                     (tsl_event){.kind = TSL_EV_ALSO, .thread = op->thread, .res = TSL_EV_ASM});
}
