#include "explore/feedback.h"

#include "base/hash.h"

enum { WORDS = 1 << 14 }; // a word displaces another one with the same hash

struct tsl_feedback_word {
    uint64_t addr;
    uint32_t stamp;
    uint32_t site, written;  // of the last access; of the last write
    uint16_t thread, writer; // that made them
    bool wrote;              // the last access was a write
};

void tsl_feedback_init(tsl_feedback *f) {
    *f = (tsl_feedback){.words = tsl_alloc_array(WORDS, sizeof *f->words)};
}

void tsl_feedback_drop(tsl_feedback *f) {
    tsl_map_drop(&f->successions);
    tsl_map_drop(&f->reads);
    tsl_free(f->words);
}

static bool changes(const tsl_event *e) {
    tsl_access a;
    return tsl_access_fill(&a, e->kind, e->res, e->addr, 1) && a.role != TSL_ROLE_READ;
}

static bool is_watched(const tsl_event *e) {
    return tsl_is_memory(e->kind) || e->kind == TSL_EV_LOCK || e->kind == TSL_EV_TRYLOCK ||
           e->kind == TSL_EV_SIGNAL || e->kind == TSL_EV_BROADCAST || e->kind == TSL_EV_WAIT ||
           e->kind == TSL_EV_SEM_WAIT || e->kind == TSL_EV_SEM_POST || e->kind == TSL_EV_RDLOCK ||
           e->kind == TSL_EV_WRLOCK;
}

static tsl_feedback_word *word_of(tsl_feedback *f, uint64_t addr) {
    tsl_feedback_word *w = &f->words[tsl_hash_u64(0, addr) % WORDS];
    if (w->stamp != f->stamp || w->addr != addr)
        *w = (tsl_feedback_word){.addr = addr, .stamp = f->stamp};
    return w;
}

static uint64_t pair(uint32_t a, uint32_t b) { return ((uint64_t)a << 32 | b) + 1; }

// Notes a pair.  Was it not shown before, by any policy?
static bool note(tsl_map *pairs, uint64_t key, unsigned policy, uint64_t *of_policy) {
    bool fresh;
    uint64_t *by = tsl_map_put(pairs, key, &fresh), bit = 1ull << policy;
    *of_policy += !(*by & bit);
    *by |= bit;
    return fresh;
}

static bool look(tsl_feedback *f, const tsl_event *e, unsigned policy) {
    tsl_feedback_word *w = word_of(f, e->addr & ~7ull);
    bool writes = changes(e), fresh = false;
    if (w->site && w->thread != e->thread && (writes || w->wrote))
        fresh |= note(&f->successions, pair(w->site, e->site), policy, &f->successions_of[policy]);
    if (!writes && w->written && w->writer != e->thread)
        fresh |= note(&f->reads, pair(w->written, e->site), policy, &f->reads_of[policy]);
    w->site = e->site;
    w->thread = e->thread;
    w->wrote = writes;
    if (writes) {
        w->written = e->site;
        w->writer = e->thread;
    }
    return fresh;
}

void tsl_feedback_count(tsl_feedback *f, bool fresh) {
    f->runs++;
    if (!fresh)
        return;
    f->orders++;
    f->last_order = f->runs;
}

void tsl_feedback_read(tsl_feedback *f, const tsl_run *run, unsigned policy) {
    bool fresh = false;
    f->stamp++;
    const tsl_event *e;
    for (size_t at = 0; (e = tsl_run_next(run, &at));)
        if (is_watched(e) && e->site)
            fresh |= look(f, e, policy);
    if (fresh)
        f->last_pair = f->runs;
}
