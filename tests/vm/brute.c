// Every interleaving of a model program; see brute.h.
#include "vm/brute.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/set.h"
#include "vm/c11.h"

typedef struct search {
    tsl_vm_brute *brute;
    const tsl_vm_program *program;
    uint64_t limit;
    tsl_events events; // of one step
    tsl_naive naive;
    tsl_c11 c11;
    TSL_VEC(uint32_t) sites; // of the steps
    tsl_set finals;
    // Of a program with inputs.
    tsl_set ways, paths;
    uint64_t way;                  // hash of the run so far: threads, choices, branches
    uint64_t path[TSL_VM_THREADS]; // hash of the branches of each thread
    bool has_inputs;
    enum tsl_vm_spinning spinning;
    uint32_t preemptions; // at most
    uint8_t eager;        // threads that no other thread tries to join
} search;

// ---------------------------------------------------------------- at every state

// The pending access of the thread.  A compare-and-swap may turn out to be a read.
static bool access_of(const tsl_vm_machine *m, unsigned t, tsl_vm_step *step, tsl_access *access) {
    *step = tsl_vm_pending(m, t);
    if (!tsl_is_memory(step->kind))
        return false;
    unsigned res = 0;
    if (step->kind == TSL_EV_CAS) {
        tsl_vm_machine next;
        tsl_events events = {0};
        tsl_vm_copy(&next, m);
        tsl_vm_execute(&next, t, 0, &events);
        res = events.data[0].res;
        tsl_vec_drop(&events);
    }
    *access = tsl_access_make(step->kind, res, step->addr, 1ull << (step->arg & 15));
    return true;
}

static void add_race(tsl_vm_races *races, uint32_t x, uint32_t y) {
    tsl_vm_race race = {x < y ? x : y, x < y ? y : x};
    for (size_t i = 0; i < races->len; i++)
        if (races->data[i].low == race.low && races->data[i].high == race.high)
            return;
    tsl_vec_push(races, race);
}

static bool is_plain(const tsl_vm_step *step) {
    return tsl_event_class(step->kind) == TSL_CLASS_ACCESS;
}

static void look_for_races(search *s, const tsl_vm_machine *m) {
    tsl_vm_step steps[TSL_VM_THREADS];
    tsl_access accesses[TSL_VM_THREADS];
    unsigned n = 0;
    for (unsigned t = 0; t < s->program->nthreads; t++)
        if (tsl_vm_is_enabled(m, t) && access_of(m, t, &steps[n], &accesses[n]))
            n++;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++)
            if ((is_plain(&steps[i]) || is_plain(&steps[j])) &&
                tsl_access_conflict(&accesses[i], &accesses[j]))
                add_race(&s->brute->races, steps[i].site, steps[j].site);
}

// Notes pairs of steps by their sites.
static void add_pairs(const search *s, tsl_vm_races *races, const uint32_t *others, size_t n) {
    size_t last = tsl_c11_len(&s->c11) - 1;
    for (size_t i = 0; i < n; i++)
        add_race(races, s->sites.data[others[i]], s->sites.data[last]);
}

static void push_definition(search *s, size_t nsteps) {
    for (size_t i = 0; i < s->events.len; i++)
        if (tsl_event_is_step(s->events.data[i].kind))
            tsl_vec_push(&s->sites, s->events.data[i].site);
    for (size_t i = 0; i < nsteps; i++) {
        tsl_c11_push(&s->c11, &s->naive);
        add_pairs(s, &s->brute->unordered, s->c11.unordered.data, s->c11.unordered.len);
        add_pairs(s, &s->brute->first, s->c11.first.data, s->c11.first.len);
    }
}

static void pop_definition(search *s, size_t nsteps) {
    s->sites.len -= nsteps;
    while (nsteps-- > 0)
        tsl_c11_pop(&s->c11);
}

// ---------------------------------------------------------------- at every end

static void complete(search *s, const tsl_vm_machine *m, uint32_t preemptions) {
    tsl_vm_brute *b = s->brute;
    b->runs++;
    if (s->has_inputs && !tsl_set_insert(&s->ways, s->way))
        return;
    uint64_t path = tsl_hash(s->path, sizeof s->path);
    b->paths += s->has_inputs ? tsl_set_insert(&s->paths, path) : !b->interleavings;
    b->interleavings++;
    b->by_preemptions[preemptions < 15 ? preemptions : 15]++;
    uint64_t state = tsl_vm_state(m);
    tsl_vec_push(&b->classes, (tsl_vm_class){.canon = tsl_naive_hash(&s->naive),
                                             .final = state,
                                             .end = tsl_vm_outline(m),
                                             .spun = m->outcome == TSL_OUT_SPUN,
                                             .outcome = m->outcome,
                                             .interleavings = 1,
                                             .preemptions = preemptions});
    if (!tsl_set_insert(&s->finals, state))
        return;
    tsl_vec_push(&b->finals, state);
    if (m->outcome != TSL_OUT_SPUN)
        tsl_vec_push(&b->ends, tsl_vm_outline(m));
    if (m->outcome == TSL_OUT_DEADLOCK || m->outcome == TSL_OUT_LIVELOCK)
        tsl_vec_push(&b->deadlocks, state);
    if (m->outcome == TSL_OUT_REJECTED)
        tsl_vec_push(&b->rejected, state);
}

// ---------------------------------------------------------------- recursion

// Finds a thread whose next step depends on nothing that can still come.
static int eager_thread(const search *s, const tsl_vm_machine *m) {
    for (unsigned t = 1; s->brute->eager && t < s->program->nthreads; t++) {
        unsigned kind = tsl_vm_pending(m, t).kind;
        if ((s->eager >> t & 1) && (kind == TSL_EV_START || kind == TSL_EV_END))
            return (int)t;
    }
    return -1;
}

static bool explore(search *s, const tsl_vm_machine *m, unsigned last, bool gave_way,
                    uint32_t preemptions);

static void note_way(search *s, unsigned t, unsigned choice) {
    s->way = tsl_hash_u64(s->way, t << 16 | choice);
    for (size_t i = 0; i < s->events.len; i++) {
        const tsl_event *e = &s->events.data[i];
        if (e->kind != TSL_EV_BRANCH)
            continue;
        s->way = tsl_hash_u64(s->way, 1u << 31 | e->res);
        s->path[t] = tsl_hash_u64(s->path[t], (uint64_t)e->site << 16 | e->res);
    }
}

static bool explore_step(search *s, const tsl_vm_machine *m, unsigned t, unsigned choice,
                         uint32_t preemptions) {
    tsl_vm_machine next;
    uint64_t way = s->way, path = s->path[t];
    tsl_vm_copy(&next, m);
    tsl_vec_clear(&s->events);
    tsl_vm_execute(&next, t, choice, &s->events);
    if (s->has_inputs)
        note_way(s, t, choice);
    size_t n = tsl_naive_push_all(&s->naive, s->events.data, s->events.len);
    if (s->brute->by_definition)
        push_definition(s, n);
    unsigned kind = s->events.data[0].kind;
    bool gave_way = kind == TSL_EV_YIELD || kind == TSL_EV_SLEEP;
    bool ok = explore(s, &next, t, gave_way, preemptions);
    if (s->brute->by_definition)
        pop_definition(s, n);
    while (n-- > 0)
        tsl_naive_pop(&s->naive);
    s->way = way;
    s->path[t] = path;
    return ok;
}

// `gave_way` says that the last step asked for a switch, so that a switch is no preemption.
static bool explore(search *s, const tsl_vm_machine *m, unsigned last, bool gave_way,
                    uint32_t preemptions) {
    s->brute->nodes++;
    if (m->outcome) {
        complete(s, m, preemptions);
        return s->brute->runs <= s->limit;
    }
    look_for_races(s, m);
    int only = eager_thread(s, m);
    for (unsigned t = 0; t < s->program->nthreads; t++) {
        if (!tsl_vm_is_enabled(m, t) || (only >= 0 && t != (unsigned)only))
            continue;
        bool preempts = t != last && !gave_way && tsl_vm_is_enabled(m, last);
        unsigned n = preemptions + preempts > s->preemptions ? 0 : tsl_vm_choices(m, t);
        for (unsigned choice = 0; choice < n; choice++)
            if (!explore_step(s, m, t, choice, preemptions + preempts))
                return false;
    }
    return true;
}

// ---------------------------------------------------------------- the result

static int compare_u64(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int by_value(const void *a, const void *b) {
    return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

static int by_canon(const void *a, const void *b) {
    return compare_u64(((const tsl_vm_class *)a)->canon, ((const tsl_vm_class *)b)->canon);
}

static int by_sites(const void *a, const void *b) {
    const tsl_vm_race *x = a, *y = b;
    return x->low != y->low ? compare_u64(x->low, y->low) : compare_u64(x->high, y->high);
}

void tsl_vm_hashes_tidy(tsl_vm_hashes *h) {
    size_t kept = 0;
    if (h->len)
        qsort(h->data, h->len, sizeof *h->data, by_value);
    for (size_t i = 0; i < h->len; i++)
        if (kept == 0 || h->data[kept - 1] != h->data[i])
            h->data[kept++] = h->data[i];
    h->len = kept;
}

static void merge_classes(tsl_vm_brute *b) {
    size_t kept = 0;
    if (b->classes.len)
        qsort(b->classes.data, b->classes.len, sizeof *b->classes.data, by_canon);
    for (size_t i = 0; i < b->classes.len; i++) {
        tsl_vm_class c = b->classes.data[i], *last = kept ? &b->classes.data[kept - 1] : NULL;
        if (!last || last->canon != c.canon) {
            b->classes.data[kept++] = c;
            continue;
        }
        last->interleavings++;
        b->inconsistent |= last->final != c.final;
        if (c.preemptions < last->preemptions)
            last->preemptions = c.preemptions;
    }
    b->classes.len = kept;
}

static uint8_t never_tried(const tsl_vm_program *p) {
    unsigned mask = 255;
    for (unsigned t = 0; t < p->nthreads; t++)
        for (unsigned i = 0; i < p->threads[t].len; i++)
            if (p->threads[t].ins[i].op == TSL_VM_OPAQUE)
                return 0; // which meets ends, too
            else if (p->threads[t].ins[i].op == TSL_VM_TRYJOIN ||
                     (p->threads[t].ins[i].op == TSL_VM_JOIN && (p->cancels || p->kills)))
                mask &= ~(1u << p->threads[t].ins[i].obj);
    return (uint8_t)mask;
}

// Goes through all values of the inputs from number `index` of thread `t` on.
static bool for_all_inputs(search *s, tsl_vm_given *given, unsigned t, unsigned index) {
    while (t < s->program->nthreads && index == tsl_vm_program_inputs(s->program, t)) {
        t++;
        index = 0;
    }
    if (t == s->program->nthreads) {
        tsl_vm_machine m;
        tsl_vec_clear(&s->events);
        tsl_vm_begin(&m, s->program, s->program->spurious, given, &s->events);
        m.spinning = (uint8_t)s->spinning;
        return explore(s, &m, 0, false, 0);
    }
    bool ok = true;
    for (unsigned x = 0; ok && x < TSL_VM_INPUT_VALUES; x++) {
        given->inputs[t][index] = (uint8_t)x;
        ok = for_all_inputs(s, given, t, index + 1);
    }
    return ok;
}

static void sort_races(tsl_vm_races *races) {
    if (races->len)
        qsort(races->data, races->len, sizeof *races->data, by_sites);
}

static bool run(tsl_vm_brute *b, const tsl_vm_program *program, uint64_t limit,
                enum tsl_vm_spinning spinning, uint32_t preemptions) {
    search s = {.brute = b,
                .program = program,
                .limit = limit,
                .spinning = spinning,
                .preemptions = preemptions,
                .has_inputs = tsl_vm_program_has_inputs(program),
                .eager = never_tried(program)};
    tsl_naive_init(&s.naive, tsl_vm_program_steps(program));
    tsl_c11_init(&s.c11, tsl_vm_program_steps(program));
    tsl_vm_given given = {.follows = true, .max_branches = UINT32_MAX};
    bool ok = for_all_inputs(&s, &given, 0, 0);
    merge_classes(b);
    tsl_vm_hashes_tidy(&b->finals);
    tsl_vm_hashes_tidy(&b->deadlocks);
    tsl_vm_hashes_tidy(&b->rejected);
    tsl_vm_hashes_tidy(&b->ends);
    sort_races(&b->races);
    sort_races(&b->unordered);
    sort_races(&b->first);
    tsl_naive_drop(&s.naive);
    tsl_c11_drop(&s.c11);
    tsl_vec_drop(&s.sites);
    tsl_vec_drop(&s.events);
    tsl_set_drop(&s.finals);
    tsl_set_drop(&s.ways);
    tsl_set_drop(&s.paths);
    return ok;
}

bool tsl_vm_brute_run(tsl_vm_brute *b, const tsl_vm_program *program, uint64_t limit, bool eager) {
    *b = (tsl_vm_brute){.eager = eager};
    return run(b, program, limit, TSL_VM_SPIN_ENDS, UINT32_MAX);
}

bool tsl_vm_brute_races(tsl_vm_brute *b, const tsl_vm_program *program, uint64_t limit) {
    *b = (tsl_vm_brute){.eager = true, .by_definition = true};
    return run(b, program, limit, TSL_VM_SPIN_ENDS, UINT32_MAX);
}

bool tsl_vm_brute_spin(tsl_vm_brute *b, const tsl_vm_program *program, uint64_t limit,
                       uint32_t preemptions) {
    *b = (tsl_vm_brute){.eager = false};
    return run(b, program, limit, TSL_VM_SPIN_GOES_ON, preemptions);
}

void tsl_vm_brute_drop(tsl_vm_brute *b) {
    tsl_vec_drop(&b->classes);
    tsl_vec_drop(&b->finals);
    tsl_vec_drop(&b->deadlocks);
    tsl_vec_drop(&b->rejected);
    tsl_vec_drop(&b->ends);
    tsl_vec_drop(&b->races);
    tsl_vec_drop(&b->unordered);
    tsl_vec_drop(&b->first);
}

void tsl_vm_brute_bounded(const tsl_vm_brute *b, uint32_t preemptions, tsl_vm_hashes *out) {
    tsl_vec_clear(out);
    for (size_t i = 0; i < b->classes.len; i++)
        if (b->classes.data[i].preemptions <= preemptions)
            tsl_vec_push(out, b->classes.data[i].canon);
}
