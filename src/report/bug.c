// Makes a bug of a run; see bug.h.
#include "report/bug.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "model/race.h"
#include "report/deadlock.h"
#include "report/input.h"
#include "report/stack.h"

// Events that are kept: enough for any report; 1 MiB.
#define MAX_EVENTS 65536

static size_t described(const tsl_trace_head *head) {
    uint32_t n = head->nthreads;
    return n < TSL_TRACE_THREADS ? n : TSL_TRACE_THREADS;
}

static tsl_names names_of(const tsl_run *run, const tsl_sites *sites, tsl_symbols *symbols) {
    return (tsl_names){.sites = sites,
                       .symbols = symbols,
                       .threads = run->head->threads,
                       .nthreads = described(run->head),
                       .run = run};
}

tsl_names tsl_bug_names(const tsl_bug *bug, const tsl_sites *sites, tsl_symbols *symbols) {
    return (tsl_names){.sites = sites,
                       .symbols = symbols,
                       .threads = bug->threads.data,
                       .nthreads = bug->threads.len,
                       .run = &bug->run};
}

// ---------------------------------------------------------------- where

// A signal can come at any instruction, so a thread's last site says less than its stack.
static bool by_stack_first(const tsl_trace_head *head) {
    if (head->flags & TSL_TRACE_AT_SITE)
        return false;
    return head->signal != 0 || head->outcome == TSL_OUT_STACK || head->outcome == TSL_OUT_KILLED ||
           head->outcome == TSL_OUT_HANG;
}

static bool stack_where(const tsl_names *names, unsigned thread, tsl_where *out) {
    const tsl_thread_info *info = tsl_names_find(names, thread);
    return info && tsl_stack_where(names, info, out);
}

static bool waits_for_ever(unsigned outcome) {
    return outcome == TSL_OUT_DEADLOCK || outcome == TSL_OUT_LIVELOCK;
}

// The thread whose place is the place of a deadlock.
static const tsl_thread_info *first_waiting(const tsl_names *names) {
    tsl_deadlock d;
    tsl_deadlock_find(names->threads, names->nthreads, &d);
    const tsl_thread_info *first = d.core.len ? d.core.data[0] : NULL;
    tsl_deadlock_drop(&d);
    return first;
}

static bool deadlock_where(const tsl_names *names, tsl_where *out) {
    const tsl_thread_info *first = first_waiting(names);
    return first &&
           (tsl_sites_get(names->sites, first->site, out) || tsl_stack_where(names, first, out));
}

static void find_where(const tsl_run *run, const tsl_names *names, tsl_where *out) {
    const tsl_trace_head *head = run->head;
    if (waits_for_ever(head->outcome) && deadlock_where(names, out))
        return;
    if (by_stack_first(head) && stack_where(names, head->thread, out))
        return;
    if (tsl_sites_get(names->sites, head->site, out))
        return;
    if (head->outcome == TSL_OUT_LEAK && tsl_sites_get(names->sites, head->block.alloc_site, out))
        return;
    // A run that ended with an exit status did not end in a thread's code: no stack says where.
    if (head->outcome != TSL_OUT_EXIT_STATUS)
        stack_where(names, head->thread, out);
}

// ---------------------------------------------------------------- signature

static uint64_t hash_text(uint64_t hash, const char *text) {
    return tsl_hash_more(hash, text, strlen(text) + 1);
}

static uint64_t hash_where(uint64_t hash, const tsl_where *where) {
    return tsl_hash_u64(hash_text(hash, where->file), where->line);
}

static uint64_t hash_site(const tsl_names *names, uint32_t site) {
    tsl_where where;
    tsl_sites_get(names->sites, site, &where);
    return hash_where(0, &where);
}

// Hashes the set of places where deadlocked threads wait, whichever thread waits at which.
static uint64_t hash_waits(uint64_t hash, const tsl_names *names) {
    tsl_deadlock d;
    TSL_VEC(uint64_t) places = {0};
    tsl_deadlock_find(names->threads, names->nthreads, &d);
    for (size_t i = 0; i < d.core.len; i++)
        tsl_vec_push(&places, hash_site(names, d.core.data[i]->site));
    tsl_vec_sort(&places, tsl_vec_by_u64);
    for (size_t i = 0; i < places.len; i++)
        if (i == 0 || places.data[i] != places.data[i - 1])
            hash = tsl_hash_u64(hash, places.data[i]);
    tsl_vec_drop(&places);
    tsl_deadlock_drop(&d);
    return hash;
}

// Several bugs of one kind can be on one line.  What distinguishes them must not depend on the
// schedule, as addresses and thread numbers in messages do.
static uint64_t hash_details(uint64_t hash, const tsl_trace_head *head, const tsl_where *where) {
    switch (head->outcome) {
    case TSL_OUT_ASSERTION: // two in one macro share the column; two in a line may share the text
        return hash_text(tsl_hash_u64(hash, where->column), head->message);
    case TSL_OUT_ABORT:
        return tsl_hash_u64(hash, where->column);
    case TSL_OUT_SIGNAL:
        return tsl_hash_u64(hash, (uint32_t)head->signal);
    case TSL_OUT_EXIT_STATUS:
        return tsl_hash_u64(hash, (uint32_t)head->exit_status);
    default:
        return hash;
    }
}

static uint64_t signature_at(const tsl_run *run, const tsl_names *names, const tsl_where *where) {
    const tsl_trace_head *head = run->head;
    uint64_t hash = hash_text(0, tsl_outcome_kind(head->outcome));
    if (waits_for_ever(head->outcome))
        return hash_waits(hash, names);
    hash = hash_details(hash_where(hash, where), head, where);
    if (where->file[0])
        return hash;
    // Without a place, these are the next best facts that do not depend on the schedule.
    hash = tsl_hash_u64(hash, (uint64_t)(uint32_t)head->signal << 32 | (uint32_t)head->exit_status);
    const tsl_thread_info *info = tsl_names_find(names, head->thread);
    return tsl_hash_u64(hash, info && info->nframes ? info->frames[0] : 0);
}

uint64_t tsl_bug_signature(const tsl_run *run, const tsl_sites *sites, tsl_symbols *symbols) {
    tsl_names names = names_of(run, sites, symbols);
    tsl_where where = {"", "", 0, 0};
    find_where(run, &names, &where);
    return signature_at(run, &names, &where);
}

uint64_t tsl_bug_signature_race(const tsl_sites *sites, uint32_t first_site, uint32_t second_site) {
    tsl_names names = {.sites = sites};
    uint64_t both = hash_site(&names, first_site) + hash_site(&names, second_site);
    return tsl_hash_u64(hash_text(0, "race"), both);
}

// ---------------------------------------------------------------- message

static void deadlock_message(const tsl_names *names, tsl_buf *out) {
    tsl_deadlock d;
    tsl_deadlock_find(names->threads, names->nthreads, &d);
    tsl_deadlock_message(&d, names, out);
    tsl_deadlock_drop(&d);
}

// Mostly the runtime's message says what happened; otherwise one is made of the numbers.
static void fill_message(const tsl_run *run, const tsl_names *names, tsl_buf *out) {
    const tsl_trace_head *head = run->head;
    if (waits_for_ever(head->outcome))
        deadlock_message(names, out);
    if (out->len == 0)
        tsl_names_clean(head->message, strnlen(head->message, sizeof head->message), out);
    if (out->len)
        return;
    if (head->outcome == TSL_OUT_EXIT_STATUS)
        tsl_buf_add(out, "the program ended with status %d", head->exit_status);
    else if (head->outcome == TSL_OUT_LEAK)
        tsl_buf_add(out, "%" PRIu64 " bytes in %u blocks are lost", head->leak_bytes,
                    head->leak_blocks);
    else if (head->signal)
        tsl_buf_add(out, "signal %d (%s)", head->signal, strsignal(head->signal));
    else if (head->outcome == TSL_OUT_KILLED)
        tsl_buf_add(out, "wait status 0x%x", head->wait_status);
}

// ---------------------------------------------------------------- races

const char *tsl_bug_access_word(const tsl_race_side *side) {
    switch (side->access.kind) {
    case TSL_EV_VREAD:
        return "volatile read";
    case TSL_EV_VWRITE:
        return "volatile write";
    default:
        return tsl_bug_kind_word(side->access.kind);
    }
}

const char *tsl_bug_kind_word(unsigned kind) {
    switch (kind) {
    case TSL_EV_AREAD:
        return "atomic read";
    case TSL_EV_AWRITE:
        return "atomic write";
    case TSL_EV_RMW:
        return "atomic read-modify-write";
    case TSL_EV_CAS:
        return "compare-and-swap";
    default:
        return tsl_event_name(kind);
    }
}

static bool is_atomic(unsigned kind) { return tsl_event_class(kind) == TSL_CLASS_ATOMIC; }

const char *tsl_bug_order_word(unsigned kind, unsigned order) {
    static const char *const words[] = {", relaxed", ", consume", ", acquire",
                                        ", release", ", acq_rel", ", seq_cst"};
    bool has = is_atomic(kind) || kind == TSL_EV_FENCE;
    return has && order < sizeof words / sizeof *words ? words[order] : "";
}

bool tsl_bug_is_mixed(const tsl_bug *bug) {
    return bug->is_race &&
           is_atomic(bug->race[0].access.kind) != is_atomic(bug->race[1].access.kind);
}

bool tsl_bug_is_volatile(const tsl_bug *bug) {
    bool is = false;
    for (unsigned i = 0; i < 2; i++)
        is |= bug->race[i].access.kind == TSL_EV_VREAD || bug->race[i].access.kind == TSL_EV_VWRITE;
    return bug->is_race && is;
}

bool tsl_bug_race_where(const tsl_names *names, const tsl_race_side *side, tsl_where *out) {
    return tsl_sites_get(names->sites, side->site, out) || stack_where(names, side->thread, out);
}

// The higher of the two addresses lies in both ranges.  A freed block is named as a whole.
void tsl_bug_race_object(const tsl_bug *bug, const tsl_names *names, tsl_buf *out) {
    const tsl_access *a = &bug->race[0].access, *b = &bug->race[1].access;
    uint64_t addr = a->addr > b->addr ? a->addr : b->addr;
    addr = a->kind == TSL_EV_FREE ? a->addr : b->kind == TSL_EV_FREE ? b->addr : addr;
    tsl_names_object(names, addr, out);
}

static void race_side(const tsl_names *names, const tsl_race_side *side, tsl_buf *out) {
    tsl_where where;
    tsl_buf_puts(out, " by ");
    tsl_names_thread(names, side->thread, out);
    if (tsl_bug_race_where(names, side, &where))
        tsl_buf_add(out, " at %s:%u", where.file, where.line);
}

static void race_message(const tsl_names *names, const tsl_bug *bug, tsl_buf *out) {
    tsl_buf_add(out, "%s of ", tsl_bug_access_word(&bug->race[0]));
    tsl_bug_race_object(bug, names, out);
    race_side(names, &bug->race[0], out);
    tsl_buf_add(out, ", %s", tsl_bug_access_word(&bug->race[1]));
    race_side(names, &bug->race[1], out);
    if (bug->by_weak_atomics)
        tsl_buf_puts(out, "; only atomics that are too weak seem to order them");
}

// ---------------------------------------------------------------- copying

static void copy_events(tsl_bug *bug, const tsl_run *run, size_t end) {
    size_t from = end > MAX_EVENTS ? end - MAX_EVENTS : 0;
    bug->steps_cut = tsl_run_steps_before(run, from, false);
    tsl_run_copy(&bug->run, run, from, end);
}

static void copy_threads(tsl_bug *bug, const tsl_trace_head *head) {
    tsl_vec_clear(&bug->threads);
    for (size_t i = 0; i < described(head); i++) {
        tsl_thread_info info = head->threads[i];
        info.name[sizeof info.name - 1] = 0;
        if (info.nframes > TSL_MAX_FRAMES)
            info.nframes = TSL_MAX_FRAMES;
        tsl_vec_push(&bug->threads, info);
    }
}

static void copy_input(void *self, const tsl_shown_input *input) {
    tsl_bug *bug = self;
    tsl_buf value = {0};
    tsl_input_value_text(input, &value);
    tsl_vec_push(&bug->inputs, (tsl_bug_input){.name = tsl_strdup(input->name),
                                               .value = tsl_buf_take(&value),
                                               .thread = input->thread,
                                               .index = input->index});
}

// Copies the run up to `end`: what it did after the bug is not reported.
static void copy_run(tsl_bug *bug, const tsl_run *run, const tsl_plan *ran, size_t end) {
    const tsl_trace_head *head = run->head;
    bug->outcome = head->outcome;
    bug->steps = head->steps;
    bug->trace_hash = tsl_trace_hash(&run->trace);
    bug->all_threads = head->all_threads;
    bug->block = head->block;
    bug->fault_addr = head->fault_addr;
    bug->access_size = head->access_size;
    bug->leak_bytes = head->leak_bytes;
    bug->leak_blocks = head->leak_blocks;
    bug->exit_status = head->exit_status;
    bug->signal = head->signal;
    bug->output_total = head->output_total;
    bug->output_len = head->output_bytes < TSL_OUTPUT ? head->output_bytes : TSL_OUTPUT;
    bug->output = tsl_alloc(bug->output_len + 1);
    memcpy(bug->output, head->output, bug->output_len);
    tsl_plan_init(&bug->plan);
    tsl_trace_to_plan(&run->trace, ran, &bug->plan);
    copy_events(bug, run, end);
    copy_threads(bug, run->head);
    tsl_trace_each_input(&run->trace, copy_input, bug);
}

static void set_where(tsl_bug *bug, const tsl_where *where) {
    bug->file = where->file[0] ? tsl_strdup(where->file) : NULL;
    bug->function = where->func[0] ? tsl_strdup(where->func) : NULL;
    bug->line = where->line;
    bug->column = where->column;
}

tsl_bug *tsl_bug_new(const tsl_run *run, const tsl_plan *ran, const tsl_sites *sites,
                     tsl_symbols *symbols) {
    tsl_bug *bug = tsl_alloc(sizeof *bug);
    tsl_names names = names_of(run, sites, symbols);
    tsl_where where = {"", "", 0, 0};
    tsl_buf message = {0};
    copy_run(bug, run, ran, tsl_run_end(run));
    find_where(run, &names, &where);
    set_where(bug, &where);
    fill_message(run, &names, &message);
    bug->message = tsl_buf_take(&message);
    bug->kind = tsl_outcome_kind(run->outcome);
    bug->headline = tsl_outcome_headline(run->outcome);
    const tsl_thread_info *first = waits_for_ever(bug->outcome) ? first_waiting(&names) : NULL;
    bug->thread = first ? first->thread : (uint16_t)run->head->thread;
    bug->signature = signature_at(run, &names, &where);
    return bug;
}

static void fill_side(tsl_race_side *side, const tsl_run *run, const tsl_step_view *step) {
    side->thread = step->op.thread;
    side->site = step->site;
    side->order = step->order;
    side->access = step->op.access[0];
    tsl_locks_held(run, step->event, side->thread, &side->locks);
}

static void copy_chain(tsl_bug *bug, const tsl_run *run, const tsl_step_list *chain) {
    tsl_step_view step;
    bug->by_weak_atomics = true;
    for (size_t i = 0; i < chain->len && tsl_run_step(run, chain->data[i], &step); i++)
        tsl_vec_push(&bug->chain, (tsl_race_link){.thread = step.op.thread,
                                                  .site = step.site,
                                                  .addr = step.addr,
                                                  .kind = step.op.kind,
                                                  .order = step.order});
}

tsl_bug *tsl_bug_new_race(const tsl_run *run, const tsl_plan *ran, const tsl_sites *sites,
                          tsl_symbols *symbols, size_t first, size_t second,
                          const tsl_trace_head *before, const tsl_step_list *chain) {
    tsl_step_view a, b;
    bool there = tsl_run_step(run, first, &a) && tsl_run_step(run, second, &b);
    TSL_BUG_ON(first >= second || !there, "race of %zu and %zu in %zu events", first, second,
               tsl_run_end(run));
    tsl_bug *bug = tsl_alloc(sizeof *bug);
    tsl_where where = {"", "", 0, 0};
    tsl_buf message = {0};
    copy_run(bug, run, ran, second + 1);
    if (before)
        copy_threads(bug, before);
    bug->is_race = true;
    fill_side(&bug->race[0], run, &a);
    fill_side(&bug->race[1], run, &b);
    // A step may do several accesses: these are the two that race.
    tsl_race_of(&a.op, &b.op, &bug->race[0].access, &bug->race[1].access);
    if (chain)
        copy_chain(bug, run, chain);
    tsl_names names = tsl_bug_names(bug, sites, symbols);
    tsl_bug_race_where(&names, &bug->race[0], &where);
    set_where(bug, &where);
    race_message(&names, bug, &message);
    bug->message = tsl_buf_take(&message);
    bug->kind = "race";
    bug->headline =
        tsl_bug_is_mixed(bug) ? "data race of a plain and an atomic access" : "data race";
    bug->thread = bug->race[0].thread;
    bug->signature = tsl_bug_signature_race(sites, bug->race[0].site, bug->race[1].site);
    return bug;
}

void tsl_bug_free(tsl_bug *bug) {
    if (!bug)
        return;
    tsl_free(bug->message);
    tsl_free(bug->file);
    tsl_free(bug->function);
    tsl_free(bug->replay);
    tsl_free(bug->output);
    tsl_plan_drop(&bug->plan);
    tsl_run_drop(&bug->run);
    tsl_vec_drop(&bug->threads);
    for (size_t i = 0; i < bug->inputs.len; i++) {
        tsl_free(bug->inputs.data[i].name);
        tsl_free(bug->inputs.data[i].value);
    }
    tsl_vec_drop(&bug->inputs);
    tsl_vec_drop(&bug->race[0].locks);
    tsl_vec_drop(&bug->race[1].locks);
    tsl_vec_drop(&bug->chain);
    tsl_free(bug);
}
