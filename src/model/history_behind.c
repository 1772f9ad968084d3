// Which steps of a history conflict with a given operation?
//
// The search for conflicts after some step goes through the touches of each cell and object, latest
// first, and stops at that step.  So it costs only what lies after the step.
#include "base/deadline.h"
#include "model/history_inner.h"

tsl_op tsl_history_op(const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    uint32_t end = tsl_step_accesses_end(h, s);
    tsl_op op = {.thread = step->thread,
                 .kind = step->kind,
                 .naccesses = (uint8_t)(end - step->accesses),
                 .unknown = step->unknown};
    for (unsigned i = 0; i < op.naccesses; i++)
        op.access[i] = h->accesses.data[step->accesses + i];
    return op;
}

bool tsl_history_conflict(const tsl_history *h, const tsl_op *op, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    if (op->thread == step->thread || op->unknown || step->unknown)
        return true;
    uint32_t end = tsl_step_accesses_end(h, s);
    for (unsigned i = 0; i < op->naccesses; i++)
        for (uint32_t k = step->accesses; k < end; k++)
            if (tsl_access_conflict(&op->access[i], &h->accesses.data[k]))
                return true;
    return false;
}

uint32_t tsl_positions_behind(const tsl_positions *steps, uint32_t s) {
    size_t low = 0, high = steps->len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (steps->data[middle] > s)
            high = middle;
        else
            low = middle + 1;
    }
    return low < steps->len ? steps->data[low] : TSL_NONE;
}

// One such search; see tsl_history_conflict_behind.
typedef struct behind {
    const tsl_history *h;
    const tsl_op *op;
    uint32_t after, but;
    const uint32_t *gone;
} behind;

static bool step_conflicts(const behind *b, uint32_t step) {
    if (step == b->but || tsl_history_before(b->h, b->after, step) ||
        !tsl_history_conflict(b->h, b->op, step))
        return false;
    return b->h->steps.data[step].index > b->gone[b->h->steps.data[step].slot];
}

// Only a free of their block can conflict with bytes that no step has touched.
static bool frees_conflict(const behind *b) {
    for (size_t i = b->h->frees.len; i-- > 0 && b->h->frees.data[i] > b->after;)
        if (step_conflicts(b, b->h->frees.data[i]))
            return true;
    return false;
}

// A read of a cell conflicts only with its writes.
static bool writes_conflict(const behind *b, uint32_t cell) {
    const tsl_touch *touches = b->h->touches.data;
    for (; cell != TSL_NONE; cell = b->h->objects.data[cell].next)
        for (uint32_t t = b->h->objects.data[cell].last_write;
             t != TSL_NONE && touches[t].step > b->after; t = touches[t].prev_write)
            if (step_conflicts(b, touches[t].step))
                return true;
    return false;
}

// Does a touch of this object conflict with the operation, which touches it in this role?
static bool chain_conflicts(const behind *b, uint32_t object, unsigned role) {
    if (object == TSL_NONE)
        return false;
    const tsl_touch *touches = b->h->touches.data;
    for (uint32_t t = b->h->objects.data[object].last; t != TSL_NONE; t = touches[t].prev) {
        if (touches[t].step <= b->after)
            return false;
        if (tsl_roles_conflict(role, touches[t].role) && step_conflicts(b, touches[t].step))
            return true;
    }
    return false;
}

static bool cells_conflict(const behind *b, uint32_t cell, unsigned role) {
    for (; cell != TSL_NONE; cell = b->h->objects.data[cell].next)
        if (chain_conflicts(b, cell, role))
            return true;
    return false;
}

// The operation accesses an object; writes to the memory it lies in conflict, too.
static bool object_conflicts(const behind *b, const tsl_access *a) {
    const tsl_history *h = b->h;
    uint32_t object = tsl_object_find(h, a->addr << 1 | 1);
    if (object == TSL_NONE) {
        for (uint64_t eight = a->addr >> 3; eight <= (a->addr + a->size - 1) >> 3; eight++) {
            uint32_t memory = tsl_object_find(h, eight << 1);
            if (memory == TSL_NONE ? frees_conflict(b) : cells_conflict(b, memory, a->role))
                return true;
        }
        return false;
    }
    for (uint32_t r = h->objects.data[object].reaches; r; r = h->reaches.data[r - 1].next)
        if (cells_conflict(b, h->reaches.data[r - 1].other, a->role))
            return true;
    return chain_conflicts(b, object, a->role) ||
           cells_conflict(b, h->objects.data[object].memory, a->role);
}

// The operation overwrites memory; objects that lie there conflict, too.
static bool memory_conflicts(const behind *b, uint32_t memory, unsigned role) {
    const tsl_history *h = b->h;
    uint32_t inside = h->objects.data[memory].first_inside;
    for (; inside != TSL_NONE; inside = h->objects.data[inside].next)
        if (chain_conflicts(b, inside, role))
            return true;
    for (uint32_t r = h->objects.data[memory].reaches; r; r = h->reaches.data[r - 1].next)
        if (chain_conflicts(b, h->reaches.data[r - 1].other, role))
            return true;
    return cells_conflict(b, memory, role);
}

static bool any_conflicts(const behind *b) {
    for (uint32_t j = b->after + 1; j < b->h->steps.len; j++)
        if (step_conflicts(b, j))
            return true;
    return false;
}

bool tsl_history_conflict_behind(const tsl_history *h, const tsl_op *op, uint32_t after,
                                 uint32_t but, const uint32_t *gone) {
    behind b = {h, op, after, but, gone};
    tsl_deadline_ask();
    if (op->unknown || h->has_odd)
        return any_conflicts(&b);
    for (unsigned i = 0; i < op->naccesses; i++) {
        const tsl_access *a = &op->access[i];
        if (a->space == TSL_SPACE_OBJECT) {
            if (object_conflicts(&b, a))
                return true;
            continue;
        }
        if (a->size > 64)
            return any_conflicts(&b);
        for (uint64_t eight = a->addr >> 3; eight <= (a->addr + a->size - 1) >> 3; eight++) {
            uint32_t memory = tsl_object_find(h, eight << 1);
            bool conflicts = memory == TSL_NONE         ? frees_conflict(&b)
                             : a->role == TSL_ROLE_READ ? writes_conflict(&b, memory)
                                                        : memory_conflicts(&b, memory, a->role);
            if (conflicts)
                return true;
        }
    }
    return false;
}
