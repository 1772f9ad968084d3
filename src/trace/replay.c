// A replay file as text; see replay.h.
//
// Reading and writing use the same tables of words, so that what is written can be read.
#include "trace/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
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

static bool parse_build(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    if (!tsl_span_is_hex(value) || value.len > 128)
        return TSL_REFUSE(in, TSL_EINPUT,
                          "build id '%s' is not pairs of hex digits (at most 128); "
                          "remove the line to replay without checking the build",
                          tsl_quote(value).text);
    r->build = tsl_strndup(value.at, value.len);
    return true;
}

static bool parse_line(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    return tsl_lines_u32(in, "line", value, 0, UINT32_MAX, &r->line);
}

static bool parse_policy(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    for (uint32_t i = 0; i < TSL_POLICY_COUNT; i++)
        if (tsl_span_is(value, tsl_policy_name(i))) {
            r->plan.policy = i;
            return true;
        }
    return TSL_REFUSE(in, TSL_EINPUT, "unknown policy '%s'; write stay, random or fair",
                      tsl_quote(value).text);
}

static bool parse_flag(const tsl_lines *in, tsl_plan *plan, tsl_span word) {
    for (size_t i = 0; i < COUNT(flag_names); i++)
        if (tsl_span_is(word, flag_names[i].name)) {
            plan->flags |= flag_names[i].flag;
            return true;
        }
    return TSL_REFUSE(in, TSL_EINPUT,
                      "unknown flag '%s'; remove it or write spurious, leaks, exit-status, stacks, "
                      "stop, enabled, symbolic or overflow",
                      tsl_quote(word).text);
}

static bool parse_flags(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    while (value.len)
        if (!parse_flag(in, &r->plan, tsl_span_word(&value)))
            return false;
    return true;
}

static bool parse_item(const tsl_lines *in, tsl_plan *plan, tsl_span word) {
    uint64_t value = 0, count = 1;
    if (word.at[0] == 'c') {
        if (!tsl_lines_number(in, "choice", (tsl_span){word.at + 1, word.len - 1}, 0, UINT16_MAX,
                              &value))
            return false;
        tsl_plan_choice(plan, (uint16_t)value);
        return true;
    }
    const char *star = memchr(word.at, '*', word.len);
    size_t len = star ? (size_t)(star - word.at) : word.len;
    if (!tsl_lines_number(in, "thread", (tsl_span){word.at, len}, 0, TSL_MAX_THREADS - 1, &value))
        return false;
    if (star && !tsl_lines_number(in, "count", (tsl_span){star + 1, word.len - len - 1}, 1,
                                  UINT32_MAX, &count))
        return false;
    // "0 0" and "0*2" are the same schedule, which is kept in one form.
    tsl_plan_steps(plan, (uint16_t)value, (uint32_t)count);
    return true;
}

static bool parse_schedule(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    while (value.len)
        if (!parse_item(in, &r->plan, tsl_span_word(&value)))
            return false;
    return true;
}

static bool parse_branches(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    return tsl_lines_u32(in, "branches", value, 0, UINT32_MAX, &r->plan.max_branches);
}

static bool parse_input(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    uint32_t thread, index;
    if (!tsl_lines_u32(in, "thread", tsl_span_word(&value), 0, TSL_MAX_THREADS - 1, &thread) ||
        !tsl_lines_u32(in, "input", tsl_span_word(&value), 0, UINT32_MAX, &index))
        return false;
    uint8_t *bytes = NULL;
    size_t len = 0;
    if (!tsl_lines_hex(in, "input", value, TSL_MAX_INPUT, &bytes, &len))
        return false;
    tsl_plan_add_input(&r->plan, thread, index, bytes, (uint32_t)len);
    tsl_free(bytes);
    return true;
}

static bool parse_first_values(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    uint8_t *bytes;
    size_t len;
    if (!tsl_lines_hex(in, "first-values", value, TSL_MAX_INPUT, &bytes, &len))
        return false;
    tsl_outsides_set_first(&r->outside, bytes, len);
    tsl_free(bytes);
    return true;
}

static bool add_outside(const tsl_lines *in, tsl_replay *r, enum tsl_outside_kind kind,
                        uint64_t size, tsl_span what) {
    uint64_t place = 0;
    char *name = NULL;
    if (kind == TSL_OUTSIDE_ARG && !tsl_lines_number(in, "argument", what, 1, r->args.len, &place))
        return false;
    if (tsl_outside_is_named(kind) && !tsl_lines_needed(in, "outside", what, &name))
        return false;
    bool ok = tsl_outsides_add(&r->outside, kind, (uint32_t)size, (uint32_t)place, name ? name : "",
                               NULL);
    tsl_free(name);
    return ok || TSL_REFUSE(in, TSL_EINPUT,
                            "this input is there already, has too long a name, or is one of more "
                            "than %u; remove the line",
                            TSL_MAX_OUTSIDE);
}

static bool parse_outside(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    tsl_span word = tsl_span_word(&value);
    uint64_t size = 0;
    for (unsigned kind = 0; kind < TSL_OUTSIDE_KINDS; kind++)
        if (tsl_span_is(word, tsl_outside_kind_name(kind)))
            return tsl_lines_number(in, "size", tsl_span_word(&value), 1, TSL_MAX_INPUT, &size) &&
                   add_outside(in, r, kind, size, value);
    return TSL_REFUSE(in, TSL_EINPUT,
                      "unknown input '%s' from outside; write stdin, file, arg or env",
                      tsl_quote(word).text);
}

static bool parse_trace(const tsl_lines *in, void *to, tsl_span value) {
    tsl_replay *r = to;
    if (tsl_num_hex(value.at, value.len, &r->trace_hash) != TSL_NUM_OK)
        return TSL_REFUSE(in, TSL_EINPUT,
                          "trace hash '%s' is not up to 16 hex digits; "
                          "remove the line to replay without comparing",
                          tsl_quote(value).text);
    r->has_trace = true;
    return true;
}

#define AT(field) .at = offsetof(tsl_replay, field)
static const tsl_word words[] = {
    {"program", TSL_WORD_NEEDED, AT(program)},
    {"arg", TSL_WORD_LIST, AT(args)},
    {"stdin", TSL_WORD_NEEDED, AT(stdin_path)},
    {"via", TSL_WORD_NEEDED, AT(via)},
    {"build", .parse = parse_build},
    {"kind", TSL_WORD_TEXT, AT(kind)},
    {"message", TSL_WORD_TEXT, AT(message)},
    {"file", TSL_WORD_TEXT, AT(file)},
    {"line", .parse = parse_line},
    {"seed", TSL_WORD_NUMBER, AT(plan.seed), .max = UINT64_MAX},
    {"policy", .parse = parse_policy},
    {"steps", TSL_WORD_NUMBER, AT(plan.max_steps), .min = 1, .max = TSL_MAX_STEPS},
    {"flags", .parse = parse_flags},
    {"branches", .parse = parse_branches},
    {"outside", .parse = parse_outside, .again = true},
    {"first-values", .parse = parse_first_values},
    {"input-seed", TSL_WORD_NUMBER, AT(plan.input_seed), .max = UINT64_MAX},
    {"input", .parse = parse_input, .again = true},
    {"schedule", .parse = parse_schedule, .again = true},
    {"trace", .parse = parse_trace},
};

static const tsl_format format = {
    .name = "teasel-replay",
    .version = TSL_REPLAY_VERSION,
    .what = "a replay file",
    .advice = "replay with the Teasel that wrote it, or find the bug again",
    .most = TSL_REPLAY_MAX,
    .words = words,
    .nwords = COUNT(words),
};

bool tsl_replay_parse(const char *name, const char *bytes, size_t len, tsl_replay *out,
                      tsl_err *err) {
    tsl_replay_drop(out);
    bool ok = tsl_lines_parse(&format, name, bytes, len, out, err);
    if (!ok)
        tsl_replay_drop(out);
    return ok;
}

bool tsl_replay_read(const char *path, tsl_replay *out, tsl_err *err) {
    tsl_replay_drop(out);
    bool ok = tsl_lines_read(&format, path, out, err);
    if (!ok)
        tsl_replay_drop(out);
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
    TSL_BUG_ON(plan->policy >= TSL_POLICY_COUNT, "policy %u", plan->policy);
    tsl_lines_put_head(out, &format, replay->program, &replay->args);
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
    return tsl_file_write_text(path, &out, err);
}
