// Races by the standard's definition; see c11.h.
#include "vm/c11.h"

#include "base/err.h"

void tsl_c11_init(tsl_c11 *c, size_t max_steps) { *c = (tsl_c11){.stride = max_steps / 64 + 1}; }

void tsl_c11_drop(tsl_c11 *c) {
    tsl_vec_drop(&c->pasts);
    tsl_vec_drop(&c->after_races);
    tsl_vec_drop(&c->unordered);
    tsl_vec_drop(&c->first);
}

size_t tsl_c11_len(const tsl_c11 *c) { return c->pasts.len / c->stride; }

static bool has(const uint64_t *set, size_t i) { return set[i / 64] >> (i % 64) & 1; }

bool tsl_c11_before(const tsl_c11 *c, size_t i, size_t j, bool races) {
    return has(&(races ? c->after_races.data : c->pasts.data)[j * c->stride], i);
}

// ---------------------------------------------------------------- accesses

static const tsl_naive_step *step_at(const tsl_naive *n, size_t i) { return &n->steps.data[i]; }

static bool is_memory(const tsl_naive_step *s) { return tsl_is_memory(s->kind); }
static bool is_atomic(const tsl_naive_step *s) {
    return s->kind >= TSL_EV_AREAD && s->kind <= TSL_EV_CAS;
}

static bool stores(const tsl_naive_step *s) {
    switch (s->kind) {
    case TSL_EV_WRITE:
    case TSL_EV_VWRITE:
    case TSL_EV_FREE:
    case TSL_EV_AWRITE:
    case TSL_EV_RMW:
        return true;
    case TSL_EV_CAS:
        return s->res & 1;
    default:
        return false;
    }
}

static bool loads_atomically(const tsl_naive_step *s) {
    return is_atomic(s) && s->kind != TSL_EV_AWRITE;
}

static bool is_rmw(const tsl_naive_step *s) {
    return s->kind == TSL_EV_RMW || (s->kind == TSL_EV_CAS && (s->res & 1));
}

static bool touches(const tsl_naive *n, size_t i, uint64_t byte) {
    const tsl_access *a = &n->accesses.data[step_at(n, i)->first_access];
    return byte - a->addr < a->size;
}

static bool share_byte(const tsl_naive *n, size_t i, size_t j) {
    return tsl_overlap(&n->accesses.data[step_at(n, i)->first_access],
                       &n->accesses.data[step_at(n, j)->first_access]);
}

static bool conflict(const tsl_naive *n, size_t i, size_t j) {
    const tsl_naive_step *a = step_at(n, i), *b = step_at(n, j);
    return a->thread != b->thread && is_memory(a) && is_memory(b) && (stores(a) || stores(b)) &&
           !(is_atomic(a) && is_atomic(b)) && share_byte(n, i, j);
}

// ---------------------------------------------------------------- synchronises with

static bool releases(const tsl_naive_step *s) {
    return s->order == __ATOMIC_RELEASE || s->order == __ATOMIC_ACQ_REL ||
           s->order == __ATOMIC_SEQ_CST;
}

static bool acquires(const tsl_naive_step *s) {
    return s->order == __ATOMIC_CONSUME || s->order == __ATOMIC_ACQUIRE ||
           s->order == __ATOMIC_ACQ_REL || s->order == __ATOMIC_SEQ_CST;
}

// Does load b take the byte from the release sequence that store x heads, or would?
static bool reads_byte_from(const tsl_naive *n, size_t x, size_t b, uint64_t byte) {
    const tsl_naive_step *head = step_at(n, x);
    bool in_sequence = true;
    for (size_t w = x + 1; w < b; w++) { // the last store is what it reads
        const tsl_naive_step *s = step_at(n, w);
        if (is_memory(s) && stores(s) && touches(n, w, byte))
            in_sequence &= is_atomic(s) && (s->thread == head->thread || is_rmw(s));
    }
    return in_sequence && touches(n, x, byte) && touches(n, b, byte);
}

static bool reads_from(const tsl_naive *n, size_t x, size_t b) {
    const tsl_naive_step *s = step_at(n, x);
    if (x >= b || !is_atomic(s) || !stores(s) || !loads_atomically(step_at(n, b)))
        return false;
    const tsl_access *a = &n->accesses.data[s->first_access];
    for (uint64_t byte = a->addr; byte < a->addr + a->size; byte++)
        if (reads_byte_from(n, x, b, byte))
            return true;
    return false;
}

// Is i the releasing store x itself, or a release fence that stands for it?
static bool stands_for_store(const tsl_naive *n, size_t i, size_t x) {
    const tsl_naive_step *s = step_at(n, i);
    if (!releases(s))
        return false;
    return i == x || (s->kind == TSL_EV_FENCE && s->thread == step_at(n, x)->thread && i < x);
}

static bool stands_for_load(const tsl_naive *n, size_t j, size_t b) {
    const tsl_naive_step *s = step_at(n, j);
    if (!acquires(s))
        return false;
    return j == b || (s->kind == TSL_EV_FENCE && s->thread == step_at(n, b)->thread && b < j);
}

static bool synchronises(const tsl_naive *n, size_t i, size_t j) {
    if (tsl_naive_synchronised(n, i, j))
        return true;
    for (size_t x = i; x < j; x++) {
        if (!stands_for_store(n, i, x))
            continue;
        for (size_t b = x + 1; b <= j; b++)
            if (stands_for_load(n, j, b) && reads_from(n, x, b))
                return true;
    }
    return false;
}

// ---------------------------------------------------------------- happens before

static void add(const tsl_c11 *c, uint64_t *to, const uint64_t *sets, size_t i) {
    for (size_t w = 0; w < c->stride; w++)
        to[w] |= sets[i * c->stride + w];
}

static void put(uint64_t *set, size_t i) { set[i / 64] |= 1ull << (i % 64); }

// Is there a chain from i to j other than their own race, if accesses that race count as ordered?
static bool is_kept_apart(const tsl_c11 *c, const tsl_naive *n, size_t i, size_t j,
                          const bool *synced) {
    for (size_t k = i; k < j; k++) {
        if (synced[k] && (k == i || tsl_c11_before(c, i, k, true)))
            return true;
        if (k != i && conflict(n, k, j) && tsl_c11_before(c, i, k, true))
            return true;
    }
    return false;
}

void tsl_c11_push(tsl_c11 *c, const tsl_naive *n) {
    size_t j = tsl_c11_len(c);
    bool synced[256];
    TSL_BUG_ON(j >= 256 || j >= n->steps.len, "step %zu of %zu", j, n->steps.len);
    for (size_t w = 0; w < c->stride; w++) {
        tsl_vec_push(&c->pasts, 0);
        tsl_vec_push(&c->after_races, 0);
    }
    uint64_t *past = &c->pasts.data[j * c->stride], *after = &c->after_races.data[j * c->stride];
    tsl_vec_clear(&c->unordered);
    tsl_vec_clear(&c->first);
    for (size_t i = 0; i < j; i++) {
        synced[i] = synchronises(n, i, j);
        if (synced[i]) {
            add(c, past, c->pasts.data, i);
            put(past, i);
        }
        if (synced[i] || conflict(n, i, j)) {
            add(c, after, c->after_races.data, i);
            put(after, i);
        }
    }
    for (size_t i = 0; i < j; i++) {
        if (!conflict(n, i, j) || has(past, i))
            continue;
        tsl_vec_push(&c->unordered, (uint32_t)i);
        if (!is_kept_apart(c, n, i, j, synced))
            tsl_vec_push(&c->first, (uint32_t)i);
    }
}

void tsl_c11_pop(tsl_c11 *c) {
    c->pasts.len -= c->stride;
    c->after_races.len -= c->stride;
}
