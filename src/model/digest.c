#include "model/digest.h"

#include <string.h>

#include "abi/libc.h"

enum {
    FIRST_SIZE = 1 << 10,
    MOST_WORDS = 64 // a step with a longer access is ordered with everything
};

void tsl_digest_init(tsl_digest *d) {
    *d = (tsl_digest){.size = FIRST_SIZE};
    d->words = tsl_alloc(d->size * sizeof *d->words);
    d->threads = tsl_alloc(TSL_MAX_THREADS * sizeof *d->threads);
}

void tsl_digest_drop(tsl_digest *d) {
    tsl_free(d->words);
    tsl_free(d->threads);
}

static uint64_t mix(uint64_t a, uint64_t b) {
    a = (a ^ (b + 0x9e3779b97f4a7c15ull)) * 0xff51afd7ed558ccdull;
    return a ^ a >> 32;
}

// ---------------------------------------------------------------- words and threads

static tsl_digest_word *find(tsl_digest *d, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (d->size - 1);
    while (d->words[at].run == d->run && d->words[at].key != key)
        at = (at + 1) & (d->size - 1);
    return &d->words[at];
}

static void grow(tsl_digest *d) {
    tsl_digest_word *old = d->words;
    size_t n = d->size;
    d->size *= 4;
    d->words = tsl_alloc(d->size * sizeof *d->words);
    for (size_t i = 0; i < n; i++)
        if (old[i].run == d->run)
            *find(d, old[i].key) = old[i];
    tsl_free(old);
}

static tsl_digest_word *word_of(tsl_digest *d, uint64_t key) {
    tsl_digest_word *w = find(d, key);
    if (w->run == d->run)
        return w;
    if (++d->used * 2 > d->size) {
        grow(d);
        w = find(d, key);
    }
    *w = (tsl_digest_word){.key = key, .run = d->run};
    return w;
}

static uint64_t *thread_of(tsl_digest *d, unsigned thread) {
    tsl_digest_thread *t = &d->threads[thread % TSL_MAX_THREADS];
    if (t->run != d->run)
        *t = (tsl_digest_thread){.hash = mix(thread, d->all), .run = d->run};
    d->top = d->top > thread ? d->top : thread;
    return &t->hash;
}

static uint64_t sum_of(const tsl_digest *d) {
    uint64_t sum = 0;
    for (unsigned t = 0; t <= d->top && t < TSL_MAX_THREADS; t++)
        if (d->threads[t].run == d->run)
            sum += mix(d->threads[t].hash, t);
    return sum;
}

// ---------------------------------------------------------------- steps

typedef struct access {
    uint64_t first, last; // words
    bool is_read;
} access;

typedef struct step {
    uint64_t hash;
    unsigned thread, n;
    bool everything;                  // treated as if it conflicted with every other step
    access accesses[TSL_OP_ACCESSES]; // only the first n are set
} step;

// The step is ordered with all steps before it and all after it.  Threads that have run get its
// hash here, one by one; a thread that has not run yet will start from `all`.
static void order_with_all(tsl_digest *d, uint64_t hash) {
    d->all = mix(mix(d->all, hash), sum_of(d));
    for (unsigned t = 0; t <= d->top && t < TSL_MAX_THREADS; t++)
        if (d->threads[t].run == d->run)
            d->threads[t].hash = mix(d->threads[t].hash, d->all);
}

// Most steps touch one word.
static void finish_one(tsl_digest *d, const step *s, uint64_t *thread, uint64_t hash) {
    tsl_digest_word *word = word_of(d, s->accesses[0].first);
    if (s->accesses[0].is_read) {
        *thread = hash = mix(hash, word->change);
        word->reads += hash;
        return;
    }
    *thread = word->change = mix(hash, word->change + 3 * word->reads);
    word->reads = 0;
}

static void finish(tsl_digest *d, const step *s) {
    uint64_t *thread = thread_of(d, s->thread), hash = mix(s->hash, *thread);
    if (s->everything) {
        *thread = hash;
        order_with_all(d, hash);
        return;
    }
    if (s->n == 1 && s->accesses[0].first == s->accesses[0].last) {
        finish_one(d, s, thread, hash);
        return;
    }
    for (unsigned i = 0; i < s->n; i++) {
        const access *a = &s->accesses[i];
        for (uint64_t w = a->first; w <= a->last; w++) {
            const tsl_digest_word *word = word_of(d, w);
            hash = mix(hash, a->is_read ? word->change : word->change + 3 * word->reads);
        }
    }
    *thread = hash;
    for (unsigned i = 0; i < s->n; i++)
        for (uint64_t w = s->accesses[i].first; w <= s->accesses[i].last; w++) {
            tsl_digest_word *word = word_of(d, w);
            if (s->accesses[i].is_read)
                word->reads += hash;
            else {
                word->change = hash;
                word->reads = 0;
            }
        }
}

// Here an object counts as one word, its first one.  Its other words are remembered in `reached`,
// across runs, so that a write to one of them also touches every word in which the object may
// begin.  A write that comes before the object was first seen is not ordered with the object.  That
// happens in one run only, and no later run has the digest of that run, because from then on the
// word is known.
enum { WORDS_BEFORE = 7 }; // the largest object has this many words before its last one

static uint64_t *reached(tsl_digest *d, uint64_t word) {
    return &d->reached[word / 64 % TSL_DIGEST_REACHED];
}

static void reach(tsl_digest *d, uint64_t first, uint64_t last) {
    uint64_t extent = first << 3 | (last - first), *seen = &d->extents[first % TSL_DIGEST_EXTENTS];
    if (__builtin_expect(*seen == extent, 1))
        return;
    *seen = extent;
    for (uint64_t w = first + 1; w <= last; w++)
        *reached(d, w) |= 1ull << w % 64;
}

static uint64_t first_changed(tsl_digest *d, uint64_t first) {
    bool inside = *reached(d, first) >> first % 64 & 1;
    return inside && first > WORDS_BEFORE ? first - WORDS_BEFORE : first;
}

// `role` is that of an access of hidden state.
static bool only_reads(unsigned kind, unsigned role) {
    return tsl_is_load(kind) || tsl_is_look(kind) ||
           (kind == TSL_EV_STATE && role == TSL_ROLE_READ);
}

static void touch(tsl_digest *d, step *s, unsigned kind, unsigned role, uint64_t addr,
                  uint64_t size) {
    if (tsl_role_rule(kind) == TSL_RULE_NONE || size == 0)
        return;
    if (kind == TSL_EV_CANCEL || kind == TSL_EV_KILL || tsl_is_look(kind))
        addr <<= 3; // the flags have numbers: give each its own word
    uint64_t first = addr >> 3, last = (addr + size - 1) >> 3;
    bool is_read = only_reads(kind, role);
    if (!tsl_is_memory(kind)) {
        reach(d, first, last);
        last = first;
    } else if (!is_read)
        first = first_changed(d, first);
    bool too_much = s->n == sizeof s->accesses / sizeof *s->accesses || last - first >= MOST_WORDS;
    if (too_much || kind == TSL_EV_ASM)
        s->everything = true;
    else
        s->accesses[s->n++] = (access){first, last, is_read};
}

// Objects without an address have numbers instead: each becomes a word of its own.
static uint64_t object_of(const tsl_event *e) {
    unsigned kind = e->kind == TSL_EV_ALSO ? e->res & 255u : e->kind;
    unsigned hidden = tsl_event_row_of(kind)->object;
    if (kind == TSL_EV_STATE && e->addr < TSL_OBJECT_STATE + TSL_STATES)
        return e->addr << 3;
    return hidden ? (uint64_t)hidden << 3 : e->addr;
}

static uint64_t bits_of(const tsl_event *e) {
    uint64_t words[2];
    memcpy(words, e, sizeof words);
    return mix(words[0], words[1]);
}

// The step wakes or creates another thread, so it is ordered between two steps of that thread.
static void send(tsl_digest *d, step *s, unsigned to) {
    uint64_t *other = thread_of(d, to);
    s->hash = mix(s->hash, *other);
    *other = mix(*other, mix(s->hash, *thread_of(d, s->thread)));
}

static void add_note(tsl_digest *d, step *s, const tsl_trace *trace, size_t i) {
    const tsl_event *e = &trace->events[i];
    if (e->kind == TSL_EV_ENABLE || e->kind == TSL_EV_DISABLE || e->kind == TSL_EV_PENDING)
        return;
    s->hash = mix(s->hash, bits_of(e));
    if (e->kind == TSL_EV_ALSO)
        touch(d, s, e->res & 255u, e->res >> 8, object_of(e),
              tsl_access_size(e, tsl_length_behind(trace, i)));
    else if (e->kind == TSL_EV_WAKE)
        send(d, s, e->res);
}

uint64_t tsl_digest_of(tsl_digest *d, const tsl_run *run) {
    const tsl_trace *trace = &run->trace;
    d->run++;
    d->used = 0;
    d->all = 0;
    d->top = 0;
    for (size_t i = 0; i < trace->nevents;) {
        const tsl_event *e = &trace->events[i];
        if (tsl_is_note(e->kind)) {
            i++;
            continue;
        }
        step s; // not initialised as a whole: clearing all accesses would be slow
        s.hash = bits_of(e);
        s.thread = e->thread;
        s.n = 0;
        s.everything = e->kind == TSL_EV_EXIT;
        unsigned kind = e->kind;
        if (kind == TSL_EV_CREATE)
            send(d, &s, e->res);
        touch(d, &s, kind, 0, object_of(e), tsl_access_size(e, tsl_length_behind(trace, i)));
        if (e->arg & TSL_ARG_LOOKS)
            touch(d, &s, TSL_EV_TESTCANCEL, 0, TSL_OBJECT_REQUEST + e->thread, 1);
        for (i++; i < trace->nevents && tsl_is_note(trace->events[i].kind); i++)
            add_note(d, &s, trace, i);
        finish(d, &s);
    }
    return mix(sum_of(d), trace->head->outcome);
}
