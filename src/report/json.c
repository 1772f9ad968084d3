// The result for scripts; see json.h.  The only file that knows jansson.
//
// What is not computed is null.  Text of the program may be any bytes, JSON must
// be UTF-8: what is not becomes U+FFFD.
#include "report/json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "report/stack.h"
#include "trace/print.h"

// ---------------------------------------------------------------- values

static void set(json_t *object, const char *name, json_t *value) {
    if (!value || json_object_set_new(object, name, value) != 0)
        tsl_out_of_memory(strlen(name));
}

static json_t *bytes_or_null(const char *text, size_t len) {
    if (!text)
        return json_null();
    json_t *value = json_stringn(text, len);
    if (value)
        return value;
    tsl_buf clean = {0};
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] < 0x80)
            tsl_buf_putc(&clean, text[i]);
        else
            tsl_buf_puts(&clean, "\xef\xbf\xbd");
    }
    value = json_stringn(tsl_buf_text(&clean), clean.len);
    tsl_buf_drop(&clean);
    return value;
}

static json_t *text_or_null(const char *text) {
    return bytes_or_null(text, text ? strlen(text) : 0);
}

static json_t *number(uint64_t n) { return json_integer((json_int_t)n); }

static json_t *number_or_null(uint64_t n) { return n ? number(n) : json_null(); }

// Numbers of 64 bits that are names, not amounts: readers with doubles would round them.
static json_t *hex(uint64_t n) {
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)n);
    return json_string(text);
}

static json_t *taken(tsl_buf *buf) {
    json_t *value = bytes_or_null(tsl_buf_text(buf), buf->len);
    tsl_buf_drop(buf);
    return value;
}

static json_t *thread_name(const tsl_names *names, unsigned thread) {
    tsl_buf text = {0};
    tsl_names_thread(names, thread, &text);
    return taken(&text);
}

static json_t *object_name(const tsl_names *names, uint64_t addr) {
    tsl_buf text = {0};
    tsl_names_object(names, addr, &text);
    return taken(&text);
}

static void set_place(json_t *object, const tsl_where *where) {
    set(object, "file", where->file[0] ? text_or_null(where->file) : json_null());
    set(object, "line", number_or_null(where->line));
}

// ---------------------------------------------------------------- bugs

static json_t *frame_json(const tsl_names *names, const tsl_frame *frame) {
    json_t *object = json_object();
    const char *file = frame->file ? tsl_sites_file(names->sites, frame->file) : NULL;
    set(object, "function", text_or_null(frame->function));
    set(object, "file", text_or_null(file ? file : frame->file));
    set(object, "line", number_or_null((uint64_t)frame->line));
    set(object, "module", text_or_null(frame->module));
    return object;
}

static json_t *stack_json(const tsl_names *names, const tsl_thread_info *info) {
    json_t *stack = json_array();
    tsl_frame frames[TSL_STACK_MAX];
    size_t n = info ? tsl_stack_frames(names, info, frames) : 0;
    for (size_t i = 0; i < n; i++)
        json_array_append_new(stack, frame_json(names, &frames[i]));
    return stack;
}

static json_t *thread_json(const tsl_names *names, const tsl_thread_info *info) {
    static const char *const states[] = {"ready", "blocked", "ended"};
    json_t *object = json_object();
    tsl_where where;
    set(object, "thread", thread_name(names, info->thread));
    set(object, "name", info->name[0] ? text_or_null(info->name) : json_null());
    set(object, "state", json_string(info->state < 3 ? states[info->state] : "unknown"));
    bool live = info->state != TSL_THREAD_ENDED;
    tsl_sites_get(names->sites, live ? info->site : 0, &where);
    set(object, "pending", live ? json_string(tsl_event_name(info->pending)) : json_null());
    set_place(object, &where);
    set(object, "stack", stack_json(names, info));
    return object;
}

static json_t *locks_json(const tsl_names *names, const tsl_locks *locks) {
    json_t *array = json_array();
    for (size_t i = 0; i < locks->len; i++) {
        const tsl_lock *lock = &locks->data[i];
        json_t *object = json_object();
        tsl_where where;
        tsl_sites_get(names->sites, lock->site, &where);
        set(object, "object", object_name(names, lock->addr));
        set(object, "kind", json_string(tsl_lock_word(lock)));
        set_place(object, &where);
        json_array_append_new(array, object);
    }
    return array;
}

static const char *order_or_null(unsigned kind, unsigned order) {
    const char *word = tsl_bug_order_word(kind, order);
    return word[0] ? word + strlen(", ") : NULL;
}

static json_t *side_json(const tsl_names *names, const tsl_race_side *side) {
    json_t *object = json_object();
    tsl_where where = {"", "", 0, 0};
    tsl_bug_race_where(names, side, &where);
    set(object, "thread", thread_name(names, side->thread));
    set(object, "access", json_string(tsl_bug_access_word(side)));
    set(object, "order", text_or_null(order_or_null(side->access.kind, side->order)));
    set(object, "size", number(side->access.size));
    set_place(object, &where);
    set(object, "column", number_or_null(where.column));
    set(object, "function", where.func[0] ? text_or_null(where.func) : json_null());
    set(object, "stack", stack_json(names, tsl_names_find(names, side->thread)));
    set(object, "locks", locks_json(names, &side->locks));
    return object;
}

static json_t *chain_json(const tsl_names *names, const tsl_bug *bug) {
    json_t *array = json_array();
    for (size_t i = 0; i < bug->chain.len; i++) {
        const tsl_race_link *link = &bug->chain.data[i];
        json_t *object = json_object();
        tsl_where where = {"", "", 0, 0};
        tsl_sites_get(names->sites, link->site, &where);
        set(object, "thread", thread_name(names, link->thread));
        set(object, "access", json_string(tsl_bug_kind_word(link->kind)));
        set(object, "order", text_or_null(order_or_null(link->kind, link->order)));
        set(object, "object", object_name(names, link->addr));
        set_place(object, &where);
        json_array_append_new(array, object);
    }
    return array;
}

static void add_race(json_t *object, const tsl_names *names, const tsl_bug *bug) {
    tsl_buf text = {0};
    tsl_bug_race_object(bug, names, &text);
    set(object, "object", taken(&text));
    set(object, "volatile", json_boolean(tsl_bug_is_volatile(bug)));
    set(object, "mixed", json_boolean(tsl_bug_is_mixed(bug)));
    set(object, "ordered", text_or_null(bug->by_weak_atomics ? "relaxed" : NULL));
    set(object, "chain", chain_json(names, bug));
    set(object, "other", side_json(names, &bug->race[1]));
    set(object, "accesses",
        json_pack("[o, o]", side_json(names, &bug->race[0]), side_json(names, &bug->race[1])));
}

static json_t *inputs_json(const tsl_bug *bug) {
    json_t *array = json_array();
    for (size_t i = 0; i < bug->inputs.len; i++) {
        const tsl_bug_input *input = &bug->inputs.data[i];
        json_t *object = json_object();
        set(object, "name", text_or_null(input->name));
        set(object, "value", text_or_null(input->value));
        set(object, "thread", number(input->thread));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *bug_json(const tsl_bug *bug, const tsl_summary *summary) {
    tsl_names names = tsl_bug_names(bug, summary->sites, summary->symbols);
    json_t *object = json_object(), *threads = json_array();
    tsl_buf text = {0};
    set(object, "kind", json_string(bug->kind));
    set(object, "headline", json_string(bug->headline));
    set(object, "message", text_or_null(bug->message));
    set(object, "file", text_or_null(bug->file));
    set(object, "line", number_or_null(bug->line));
    set(object, "column", number_or_null(bug->column));
    set(object, "function", text_or_null(bug->function));
    set(object, "thread", thread_name(&names, bug->thread));
    set(object, "executions_to_find", number(bug->executions_to_find));
    set(object, "replay", text_or_null(bug->replay));
    set(object, "steps", number(bug->steps));
    tsl_print_items(&bug->plan.items, &text);
    set(object, "schedule", taken(&text));
    set(object, "trace", hex(bug->trace_hash));
    set(object, "signature", hex(bug->signature));
    set(object, "output", bytes_or_null(bug->output, bug->output_len));
    for (size_t i = 0; i < bug->threads.len; i++)
        json_array_append_new(threads, thread_json(&names, &bug->threads.data[i]));
    set(object, "threads", threads);
    set(object, "inputs", inputs_json(bug));
    if (bug->is_race)
        add_race(object, &names, bug);
    return object;
}

// ---------------------------------------------------------------- census

static json_t *opaque_json(const tsl_census *census) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < census->nopaque && i < TSL_MAX_OPAQUE; i++) {
        const tsl_opaque *o = &census->opaque[i];
        json_t *object = json_object();
        set(object, "name", bytes_or_null(o->name, strnlen(o->name, sizeof o->name)));
        set(object, "calls", number(o->calls));
        set(object, "leaks", json_boolean(o->class_ == TSL_EXTERN_LEAKS));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *notes_json(const tsl_census *census, const tsl_sites *sites) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < census->nnotes && i < TSL_MAX_NOTES; i++) {
        const tsl_note *note = &census->notes[i];
        json_t *object = json_object();
        tsl_where where;
        tsl_sites_get(sites, note->site, &where);
        set(object, "text", bytes_or_null(note->text, strnlen(note->text, sizeof note->text)));
        set_place(object, &where);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *census_json(const tsl_summary *summary) {
    const tsl_census *census = summary->census;
    if (!census)
        return json_null();
    json_t *object = json_object();
    set(object, "objects", number(census->objects));
    set(object, "functions", number(census->functions));
    set(object, "sites", number(census->sites));
    set(object, "accesses", number(census->accesses));
    set(object, "atomics", number(census->atomics));
    set(object, "asm_blocks", number(census->asm_blocks));
    set(object, "indirect_calls", number(census->indirect_calls));
    set(object, "restart_pages", number(census->restart_pages));
    set(object, "opaque", opaque_json(census));
    set(object, "notes", notes_json(census, summary->sites));
    return object;
}

// ---------------------------------------------------------------- coverage

static void add_counts(json_t *object, const tsl_cover_count *n) {
    set(object, "branches", number(n->branches));
    set(object, "total_branches", number(n->total_branches));
    set(object, "lines", number(n->lines));
    set(object, "total_lines", number(n->total_lines));
}

static json_t *covered_json(const tsl_coverage *coverage, const tsl_cover_function *f) {
    json_t *object = json_object();
    tsl_cover_count n = tsl_coverage_of(coverage, f);
    set(object, "name", text_or_null(f->name));
    set(object, "file", text_or_null(f->file));
    set(object, "line", number_or_null(f->line));
    set(object, "entered", json_boolean(f->reached));
    add_counts(object, &n);
    return object;
}

static json_t *coverage_json(const tsl_coverage *coverage) {
    if (!coverage)
        return json_null();
    json_t *object = json_object(), *functions = json_array();
    tsl_cover_count n = tsl_coverage_count(coverage);
    add_counts(object, &n);
    set(object, "entered_functions", number(n.functions));
    set(object, "total_functions", number(n.total_functions));
    for (size_t i = 0; i < coverage->functions.len; i++)
        json_array_append_new(functions, covered_json(coverage, &coverage->functions.data[i]));
    set(object, "functions", functions);
    return object;
}

// ---------------------------------------------------------------- all of it

static json_t *times(const tsl_claim *claim, enum tsl_reason reason) {
    return number(claim ? claim->times[reason] : 0);
}

static json_t *extent_json(const tsl_claim *claim) {
    if (!claim)
        return json_null();
    tsl_buf words = {0};
    tsl_claim_words(claim, &words);
    return taken(&words);
}

// The names of what weakens the claim.
static json_t *reasons_json(const tsl_claim *claim) {
    json_t *array = json_array();
    for (unsigned r = 0; claim && r < TSL_REASON_COUNT; r++)
        if (claim->times[r])
            json_array_append_new(array, json_string(tsl_reason_name(r)));
    return array;
}

static json_t *step_json(const tsl_event *e, const tsl_sites *sites) {
    tsl_where where;
    if (e->kind == TSL_EV_NONE && !e->thread)
        return json_null();
    json_t *object = json_object();
    set(object, "thread", number(e->thread));
    set(object, "kind", json_string(tsl_event_name(e->kind)));
    if (sites && tsl_sites_get(sites, e->site, &where)) {
        set(object, "file", json_string(where.file));
        set(object, "line", number(where.line));
    }
    return object;
}

// The first run that went another way than planned, and the first step of it that did.
static json_t *divergence_json(const tsl_summary *summary) {
    const tsl_stray_run *stray = &summary->counts->stray;
    json_t *object = json_object();
    set(object, "execution", number(stray->run));
    set(object, "step", number(stray->divergence.step + 1));
    set(object, "expected", step_json(&stray->divergence.expected, summary->sites));
    set(object, "came", step_json(&stray->divergence.came, summary->sites));
    set(object, "message", json_string(stray->because));
    return object;
}

static json_t *limits_json(const tsl_summary *summary) {
    json_t *object = json_object();
    set(object, "step-limit", times(summary->claim, TSL_REASON_RUN_STEPS));
    set(object, "time-limit", times(summary->claim, TSL_REASON_RUN_SECONDS));
    set(object, "diverged", times(summary->claim, TSL_REASON_DIVERGED));
    if (summary->counts->stray.run)
        set(object, "divergence", divergence_json(summary));
    return object;
}

// Runs by how they ended; outcomes of one kind are one number.
static json_t *outcomes_json(const tsl_summary *summary) {
    json_t *object = json_object();
    for (unsigned i = 0; i < TSL_OUT_COUNT; i++) {
        if (!summary->counts->outcomes[i])
            continue;
        const char *kind = tsl_outcome_kind(i);
        json_int_t before = json_integer_value(json_object_get(object, kind));
        set(object, kind, json_integer(before + (json_int_t)summary->counts->outcomes[i]));
    }
    return object;
}

static json_t *bugs_json(const tsl_summary *summary) {
    json_t *array = json_array();
    for (size_t i = 0; summary->bugs && i < summary->bugs->len; i++)
        json_array_append_new(array, bug_json(summary->bugs->data[i], summary));
    return array;
}

static json_t *solver_json(const tsl_summary *s) {
    if (!s->solver.len)
        return json_null();
    json_t *object = json_object();
    for (size_t i = 0; i < s->solver.len; i++)
        set(object, s->solver.data[i].name, number(s->solver.data[i].value));
    return object;
}

static json_t *sampling_json(const tsl_novelty *n) {
    if (!n)
        return json_null();
    json_t *object = json_object();
    set(object, "runs", number(n->runs));
    set(object, "mutated", number(n->mutated));
    set(object, "successions", number(n->successions));
    set(object, "reads_from", number(n->reads_from));
    set(object, "last_new_order", number(n->last_order));
    set(object, "last_new_pair", number(n->last_pair));
    return object;
}

static json_t *summary_json(const tsl_summary *s) {
    const tsl_counts *n = s->counts;
    json_t *object = json_object();
    set(object, "verdict", text_or_null(s->verdict));
    set(object, "extent", extent_json(s->claim));
    set(object, "reasons", reasons_json(s->claim));
    set(object, "strategy", text_or_null(s->strategy));
    set(object, "program", text_or_null(s->program));
    set(object, "seed", number(s->seed));
    set(object, "executions", number(n->executions));
    set(object, "blocked", number(n->blocked));
    set(object, "traces", s->has_traces ? number(n->traces) : json_null());
    set(object, "interleavings", number(n->interleavings));
    set(object, "begun_again", json_boolean(n->begun_again));
    set(object, "paths", number(n->paths));
    set(object, "rejected", number(n->outcomes[TSL_OUT_REJECTED]));
    set(object, "mispredicted", number(n->mispredicted));
    set(object, "concretised",
        json_boolean(s->claim && tsl_claim_has(s->claim, TSL_REASON_CONCRETISED)));
    set(object, "bugs", bugs_json(s));
    set(object, "races", number(tsl_summary_races(s)));
    set(object, "races_unconfirmed", number(n->unconfirmed));
    set(object, "races_untried", number(n->untried));
    set(object, "limits", limits_json(s));
    set(object, "outcomes", outcomes_json(s));
    set(object, "failed_exits", number(s->exits ? s->exits->failed : 0));
    set(object, "seconds", json_real(n->seconds));
    set(object, "executions_per_second", json_real(tsl_summary_rate(s)));
    set(object, "mode", json_string(s->mode == TSL_MODE_FORK ? "fork" : "in-place"));
    set(object, "mode_reason", s->mode_reason ? json_string(s->mode_reason) : json_null());
    set(object, "workers", number(s->workers));
    set(object, "restarts", number(s->restarts));
    set(object, "coverage", coverage_json(s->coverage));
    set(object, "solver", solver_json(s));
    set(object, "sampling", sampling_json(s->novelty));
    set(object, "census", census_json(s));
    if (s->same != TSL_SAME_NOT_ASKED)
        set(object, "same", json_boolean(s->same == TSL_SAME_YES));
    return object;
}

void tsl_json_summary(const tsl_summary *summary, tsl_buf *out) {
    json_t *object = summary_json(summary);
    char *text = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    if (!text)
        tsl_out_of_memory(0);
    tsl_buf_puts(out, text);
    tsl_buf_putc(out, '\n');
    free(text);
    json_decref(object);
}

bool tsl_json_write(const char *path, const tsl_summary *summary, tsl_err *err) {
    tsl_buf out = {0};
    tsl_json_summary(summary, &out);
    return tsl_file_write_text(path, &out, err);
}
