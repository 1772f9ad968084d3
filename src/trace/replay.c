// A replay file as text; see replay.h.
//
// Reading and writing use the same tables of words, so that what is written can be read.
#include "trace/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "trace/lines.h"
#include "trace/print.h"

static const struct {
    uint32_t flag;
    const char *name;
} flag_names[] = {
    {TSL_PLAN_SPURIOUS, "spurious"},
    {TSL_PLAN_LEAKS, "leaks"},
    {TSL_PLAN_EXIT_STATUS, "exit-status"},
    {TSL_PLAN_STACKS, "stacks"},
    {TSL_PLAN_STOP, "stop"},
    {TSL_PLAN_ENABLED, "enabled"},
    {TSL_PLAN_SYMBOLIC, "symbolic"},
    {TSL_PLAN_OVERFLOW, "overflow"},
    {TSL_PLAN_POINTS, "points"},
    {TSL_PLAN_SPIN_ENDS, "spin-ends"},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

// ---------------------------------------------------------------- lifetime

void tsl_replay_init(tsl_replay *replay) {
    *replay = (tsl_replay){0};
    tsl_plan_init(&replay->plan);
}

void tsl_replay_drop(tsl_replay *replay) {
    tsl_texts_drop(&replay->args);
    tsl_free(replay->program);
    tsl_free(replay->stdin_path);
    tsl_free(replay->via);
    tsl_free(replay->build);
    tsl_free(replay->kind);
    tsl_free(replay->message);
    tsl_free(replay->file);
    tsl_outsides_drop(&replay->outside);
    tsl_plan_drop(&replay->plan);
    tsl_replay_init(replay);
}

// ---------------------------------------------------------------- parsing

typedef struct parser {
    tsl_lines in;
    uint32_t seen; // a bit for each entry of `words`
    tsl_replay *out;
} parser;

static bool parse_program(parser *p, tsl_span value) {
    return tsl_lines_needed(&p->in, "program", value, &p->out->program);
}

static bool parse_arg(parser *p, tsl_span value) {
    char *arg = NULL; // an empty value is an empty argument
    if (!tsl_lines_text(&p->in, value, &arg))
        return false;
    tsl_vec_push(&p->out->args, arg);
    return true;
}

static bool parse_stdin(parser *p, tsl_span value) {
    return tsl_lines_needed(&p->in, "stdin", value, &p->out->stdin_path);
}

static bool parse_via(parser *p, tsl_span value) {
    return tsl_lines_needed(&p->in, "via", value, &p->out->via);
}

static bool parse_build(parser *p, tsl_span value) {
    if (!tsl_span_is_hex(value) || value.len > 128)
        return TSL_REFUSE(&p->in, TSL_EINPUT,
                          "build id '%s' is not pairs of hex digits (at most 128); "
                          "remove the line to replay without checking the build",
                          tsl_quote(value).text);
    p->out->build = tsl_strndup(value.at, value.len);
    return true;
}

static bool parse_kind(parser *p, tsl_span value) {
    return tsl_lines_text(&p->in, value, &p->out->kind);
}

static bool parse_message(parser *p, tsl_span value) {
    return tsl_lines_text(&p->in, value, &p->out->message);
}

static bool parse_file(parser *p, tsl_span value) {
    return tsl_lines_text(&p->in, value, &p->out->file);
}

static bool parse_line(parser *p, tsl_span value) {
    uint64_t line = 0;
    if (!tsl_lines_number(&p->in, "line", value, 0, UINT32_MAX, &line))
        return false;
    p->out->line = (uint32_t)line;
    return true;
}

static bool parse_seed(parser *p, tsl_span value) {
    return tsl_lines_number(&p->in, "seed", value, 0, UINT64_MAX, &p->out->plan.seed);
}

static bool parse_steps(parser *p, tsl_span value) {
    return tsl_lines_number(&p->in, "steps", value, 1, TSL_MAX_STEPS, &p->out->plan.max_steps);
}

static bool parse_policy(parser *p, tsl_span value) {
    for (uint32_t i = 0; i < TSL_POLICY_COUNT; i++)
        if (tsl_span_is(value, tsl_policy_name(i))) {
            p->out->plan.policy = i;
            return true;
        }
    return TSL_REFUSE(&p->in, TSL_EINPUT, "unknown policy '%s'; write stay, random or fair",
                      tsl_quote(value).text);
}

static bool parse_flag(parser *p, tsl_span word) {
    for (size_t i = 0; i < COUNT(flag_names); i++)
        if (tsl_span_is(word, flag_names[i].name)) {
            p->out->plan.flags |= flag_names[i].flag;
            return true;
        }
    return TSL_REFUSE(&p->in, TSL_EINPUT,
                      "unknown flag '%s'; remove it or write spurious, leaks, exit-status, stacks, "
                      "stop, enabled, symbolic or overflow",
                      tsl_quote(word).text);
}

static bool parse_flags(parser *p, tsl_span value) {
    while (value.len)
        if (!parse_flag(p, tsl_span_word(&value)))
            return false;
    return true;
}

static void add_run(tsl_items *items, uint16_t thread, uint32_t count) {
    // "0 0" and "0*2" are the same schedule, which is kept in one form.
    tsl_item *last = items->len ? &tsl_vec_last(items) : NULL;
    if (last && last->kind == TSL_ITEM_RUN && last->value == thread &&
        last->count <= UINT32_MAX - count)
        last->count += count;
    else
        tsl_vec_push(items, (tsl_item){.kind = TSL_ITEM_RUN, .value = thread, .count = count});
}

static bool parse_item(parser *p, tsl_span word) {
    uint64_t value = 0, count = 1;
    if (word.at[0] == 'c') {
        if (!tsl_lines_number(&p->in, "choice", (tsl_span){word.at + 1, word.len - 1}, 0,
                              UINT16_MAX, &value))
            return false;
        tsl_plan_choice(&p->out->plan, (uint16_t)value);
        return true;
    }
    const char *star = memchr(word.at, '*', word.len);
    size_t len = star ? (size_t)(star - word.at) : word.len;
    if (!tsl_lines_number(&p->in, "thread", (tsl_span){word.at, len}, 0, TSL_MAX_THREADS - 1,
                          &value))
        return false;
    if (star && !tsl_lines_number(&p->in, "count", (tsl_span){star + 1, word.len - len - 1}, 1,
                                  UINT32_MAX, &count))
        return false;
    add_run(&p->out->plan.items, (uint16_t)value, (uint32_t)count);
    return true;
}

static bool parse_schedule(parser *p, tsl_span value) {
    while (value.len)
        if (!parse_item(p, tsl_span_word(&value)))
            return false;
    return true;
}

static bool parse_input_seed(parser *p, tsl_span value) {
    return tsl_lines_number(&p->in, "input-seed", value, 0, UINT64_MAX, &p->out->plan.input_seed);
}

static bool parse_branches(parser *p, tsl_span value) {
    uint64_t most = 0;
    if (!tsl_lines_number(&p->in, "branches", value, 0, UINT32_MAX, &most))
        return false;
    p->out->plan.max_branches = (uint32_t)most;
    return true;
}

static bool parse_input(parser *p, tsl_span value) {
    uint64_t thread = 0, index = 0;
    if (!tsl_lines_number(&p->in, "thread", tsl_span_word(&value), 0, TSL_MAX_THREADS - 1,
                          &thread) ||
        !tsl_lines_number(&p->in, "input", tsl_span_word(&value), 0, UINT32_MAX, &index))
        return false;
    uint8_t *bytes = NULL;
    size_t len = 0;
    if (!tsl_lines_hex(&p->in, "input", value, TSL_MAX_INPUT, &bytes, &len))
        return false;
    tsl_plan_add_input(&p->out->plan, (uint32_t)thread, (uint32_t)index, bytes, (uint32_t)len);
    tsl_free(bytes);
    return true;
}

static bool parse_first_values(parser *p, tsl_span value) {
    uint8_t *bytes;
    size_t len;
    if (!tsl_lines_hex(&p->in, "first-values", value, TSL_MAX_INPUT, &bytes, &len))
        return false;
    tsl_outsides_set_first(&p->out->outside, bytes, len);
    tsl_free(bytes);
    return true;
}

static bool add_outside(parser *p, enum tsl_outside_kind kind, uint64_t size, tsl_span what) {
    uint64_t place = 0;
    char *name = NULL;
    if (kind == TSL_OUTSIDE_ARG &&
        !tsl_lines_number(&p->in, "argument", what, 1, p->out->args.len, &place))
        return false;
    if (tsl_outside_is_named(kind) && !tsl_lines_needed(&p->in, "outside", what, &name))
        return false;
    bool ok = tsl_outsides_add(&p->out->outside, kind, (uint32_t)size, (uint32_t)place,
                               name ? name : "", NULL);
    tsl_free(name);
    return ok || TSL_REFUSE(&p->in, TSL_EINPUT,
                            "this input is there already, has too long a name, or is one of more "
                            "than %u; remove the line",
                            TSL_MAX_OUTSIDE);
}

static bool parse_outside(parser *p, tsl_span value) {
    tsl_span word = tsl_span_word(&value);
    uint64_t size = 0;
    for (unsigned kind = 0; kind < TSL_OUTSIDE_KINDS; kind++)
        if (tsl_span_is(word, tsl_outside_kind_name(kind)))
            return tsl_lines_number(&p->in, "size", tsl_span_word(&value), 1, TSL_MAX_INPUT,
                                    &size) &&
                   add_outside(p, kind, size, value);
    return TSL_REFUSE(&p->in, TSL_EINPUT,
                      "unknown input '%s' from outside; write stdin, file, arg or env",
                      tsl_quote(word).text);
}

static bool parse_trace(parser *p, tsl_span value) {
    if (tsl_num_hex(value.at, value.len, &p->out->trace_hash) != TSL_NUM_OK)
        return TSL_REFUSE(&p->in, TSL_EINPUT,
                          "trace hash '%s' is not up to 16 hex digits; "
                          "remove the line to replay without comparing",
                          tsl_quote(value).text);
    p->out->has_trace = true;
    return true;
}

static bool parse_end(parser *p, tsl_span value) {
    if (value.len == 0)
        return true;
    return TSL_REFUSE(&p->in, TSL_EINPUT, "'%s' behind 'end'; remove it", tsl_quote(value).text);
}

enum { WORD_PROGRAM, WORD_END = 20 };

static const struct {
    const char *word;
    bool (*parse)(parser *p, tsl_span value);
    bool again; // the word may be repeated
} words[] = {
    [WORD_PROGRAM] = {"program", parse_program, false},
    {"arg", parse_arg, true},
    {"stdin", parse_stdin, false},
    {"via", parse_via, false},
    {"build", parse_build, false},
    {"kind", parse_kind, false},
    {"message", parse_message, false},
    {"file", parse_file, false},
    {"line", parse_line, false},
    {"seed", parse_seed, false},
    {"policy", parse_policy, false},
    {"steps", parse_steps, false},
    {"flags", parse_flags, false},
    {"branches", parse_branches, false},
    {"outside", parse_outside, true},
    {"first-values", parse_first_values, false},
    {"input-seed", parse_input_seed, false},
    {"input", parse_input, true},
    {"schedule", parse_schedule, true},
    {"trace", parse_trace, false},
    [WORD_END] = {"end", parse_end, false},
};
_Static_assert(COUNT(words) == WORD_END + 1 && COUNT(words) <= 32, "end is the last word");

static bool seen(const parser *p, unsigned word) { return (p->seen >> word) & 1u; }

static bool parse_content(parser *p, tsl_span line) {
    tsl_span value = line;
    tsl_span word = tsl_span_word(&value);
    if (seen(p, WORD_END))
        return TSL_REFUSE(&p->in, TSL_EINPUT, "'%s' behind 'end'; remove it or move it up",
                          tsl_quote(word).text);
    for (unsigned i = 0; i < COUNT(words); i++) {
        if (!tsl_span_is(word, words[i].word))
            continue;
        if (seen(p, i) && !words[i].again)
            return TSL_REFUSE(&p->in, TSL_EINPUT, "a second '%s'; keep one of them", words[i].word);
        p->seen |= 1u << i;
        return words[i].parse(p, value);
    }
    return TSL_REFUSE(&p->in, TSL_EINPUT, "unknown word '%s'; remove the line or put # in front",
                      tsl_quote(word).text);
}

static bool parse_lines(parser *p) {
    tsl_span line;
    if (!tsl_lines_version(&p->in, "teasel-replay", TSL_REPLAY_VERSION, "a replay file",
                           "replay with the Teasel that wrote it, or find the bug again"))
        return false;
    while (tsl_lines_next(&p->in, &line))
        if (!parse_content(p, line))
            return false;
    if (seen(p, WORD_END) && seen(p, WORD_PROGRAM))
        return true;
    if (seen(p, WORD_END))
        return TSL_REFUSE(&p->in, TSL_EINPUT, "%s", "no 'program'; add a line 'program PATH'");
    return TSL_REFUSE(&p->in, TSL_EINPUT, "%s",
                      "the file stops before 'end': it is cut off; copy it again, "
                      "or add a line 'end' if you edited it");
}

bool tsl_replay_parse(const char *name, const char *bytes, size_t len, tsl_replay *out,
                      tsl_err *err) {
    parser p = {.in = {.name = name, .at = bytes, .end = bytes + len, .err = err}, .out = out};
    tsl_replay_drop(out);
    if (len > TSL_REPLAY_MAX)
        return tsl_fail(err, TSL_ELIMIT, "%s is larger than %zu bytes; this is not a replay file",
                        name, TSL_REPLAY_MAX);
    if (parse_lines(&p))
        return true;
    tsl_replay_drop(out);
    return false;
}

bool tsl_replay_read(const char *path, tsl_replay *out, tsl_err *err) {
    char *bytes = NULL;
    size_t len = 0;
    tsl_replay_drop(out);
    if (!tsl_file_read_max(path, TSL_REPLAY_MAX, &bytes, &len, err))
        return false;
    bool ok = tsl_replay_parse(path, bytes, len, out, err);
    tsl_free(bytes);
    return ok;
}

// ---------------------------------------------------------------- writing

static void put_optional(tsl_buf *out, const char *word, const char *value) {
    if (value)
        tsl_lines_put(out, word, value);
}

static void put_flags(tsl_buf *out, uint32_t flags) {
    bool any = false;
    for (size_t i = 0; i < COUNT(flag_names); i++)
        if (flags & flag_names[i].flag) {
            tsl_buf_add(out, "%s %s", any ? "" : "flags", flag_names[i].name);
            any = true;
        }
    if (any)
        tsl_buf_putc(out, '\n');
}

static void put_input(tsl_buf *out, const tsl_plan *plan, const tsl_planned_input *input) {
    tsl_buf_add(out, "input %u %u ", input->thread, input->index);
    tsl_lines_put_hex(out, plan->input_bytes.data + input->at, input->size);
    tsl_buf_putc(out, '\n');
}

static void put_outside(tsl_buf *out, const tsl_outsides *o) {
    for (size_t i = 0; i < o->inputs.len; i++) {
        const tsl_outside *in = &o->inputs.data[i];
        char head[48];
        snprintf(head, sizeof head, "outside %s %u", tsl_outside_kind_name(in->kind), in->size);
        if (tsl_outside_is_named(in->kind))
            tsl_lines_put(out, head, in->name);
        else if (in->kind == TSL_OUTSIDE_ARG)
            tsl_buf_add(out, "%s %u\n", head, in->place);
        else
            tsl_buf_add(out, "%s\n", head);
    }
    if (o->first.len) {
        tsl_buf_puts(out, "first-values ");
        tsl_lines_put_hex(out, o->first.data, o->first.len);
        tsl_buf_putc(out, '\n');
    }
}

// Breaks the schedule into lines that are short enough to be read and edited.
static void put_schedule(tsl_buf *out, const tsl_items *items) {
    enum { WIDTH = 90 };
    size_t start = 0;
    for (size_t i = 0; i < items->len; i++) {
        if (i == 0 || out->len - start > WIDTH) {
            tsl_buf_puts(out, i ? "\nschedule " : "schedule ");
            start = out->len;
        } else {
            tsl_buf_putc(out, ' ');
        }
        tsl_print_item(&items->data[i], out);
    }
    if (items->len)
        tsl_buf_putc(out, '\n');
}

void tsl_replay_format(const tsl_replay *replay, tsl_buf *out) {
    const tsl_plan *plan = &replay->plan;
    TSL_BUG_ON(!replay->program || !*replay->program,
               "a replay without a program can't be written");
    TSL_BUG_ON(plan->policy >= TSL_POLICY_COUNT, "policy %u", plan->policy);
    tsl_buf_add(out, "teasel-replay %u\n", TSL_REPLAY_VERSION);
    tsl_lines_put(out, "program", replay->program);
    for (size_t i = 0; i < replay->args.len; i++)
        tsl_lines_put(out, "arg", replay->args.data[i]);
    put_optional(out, "stdin", replay->stdin_path);
    put_optional(out, "via", replay->via);
    put_optional(out, "build", replay->build);
    put_optional(out, "kind", replay->kind);
    put_optional(out, "message", replay->message);
    put_optional(out, "file", replay->file);
    if (replay->line)
        tsl_buf_add(out, "line %u\n", replay->line);
    tsl_buf_add(out, "seed %" PRIu64 "\n", plan->seed);
    tsl_buf_add(out, "policy %s\n", tsl_policy_name(plan->policy));
    tsl_buf_add(out, "steps %" PRIu64 "\n", plan->max_steps);
    put_flags(out, plan->flags);
    if (plan->max_branches != UINT32_MAX)
        tsl_buf_add(out, "branches %u\n", plan->max_branches);
    put_outside(out, &replay->outside);
    if (plan->input_seed)
        tsl_buf_add(out, "input-seed %" PRIu64 "\n", plan->input_seed);
    for (size_t i = 0; i < plan->inputs.len; i++)
        put_input(out, plan, &plan->inputs.data[i]);
    put_schedule(out, &plan->items);
    if (replay->has_trace)
        tsl_buf_add(out, "trace %016" PRIx64 "\n", replay->trace_hash);
    tsl_buf_puts(out, "end\n");
}

bool tsl_replay_write(const char *path, const tsl_replay *replay, tsl_err *err) {
    tsl_buf out = {0};
    tsl_replay_format(replay, &out);
    bool ok = tsl_file_write_atomic(path, out.data, out.len, err);
    tsl_buf_drop(&out);
    return ok;
}
