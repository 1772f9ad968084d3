// A paths file as text; see paths.h.
#include "trace/paths.h"

#include <inttypes.h>
#include <string.h>

#include "base/deadline.h"
#include "base/file.h"
#include "trace/lines.h"

static const char *const kind_names[TSL_INPUT_KINDS] = {
    [TSL_INPUT_BYTES] = "bytes", [TSL_INPUT_SIGNED] = "signed", [TSL_INPUT_UNSIGNED] = "unsigned",
    [TSL_INPUT_BOOL] = "bool",   [TSL_INPUT_TEXT] = "text",
};

enum { MOST_CHOICES = 0xfff0 };                  // of teasel_choose
enum { LINE = 64 };                              // bytes of a line without its texts, at most
#define ROOM (TSL_PATHS_MAX - ((size_t)8 << 20)) // for paths; the rest is for the arguments

// ---------------------------------------------------------------- lifetime

static void drop_path(tsl_path *path) {
    for (size_t i = 0; i < path->inputs.len; i++) {
        tsl_free(path->inputs.data[i].name);
        tsl_free(path->inputs.data[i].bytes);
    }
    tsl_vec_drop(&path->inputs);
    tsl_vec_drop(&path->choices);
    tsl_free(path->message);
}

void tsl_paths_clear(tsl_paths *paths) {
    for (size_t i = 0; i < paths->list.len; i++)
        drop_path(&paths->list.data[i]);
    tsl_vec_clear(&paths->list);
    paths->left_out = 0;
    paths->room = 0;
    paths->full = false;
    tsl_set_clear(&paths->seen);
    tsl_set_clear(&paths->failed);
}

void tsl_paths_drop(tsl_paths *paths) {
    tsl_paths_clear(paths);
    tsl_vec_drop(&paths->list);
    tsl_set_drop(&paths->seen);
    tsl_set_drop(&paths->failed);
    tsl_texts_drop(&paths->args);
    tsl_free(paths->program);
    tsl_free(paths->stdin_path);
    *paths = (tsl_paths){0};
}

tsl_shown_input tsl_path_input_shown(const tsl_path_input *input) {
    tsl_shown_input shown = {.thread = input->thread,
                             .index = input->index,
                             .size = input->size,
                             .kind = input->kind,
                             .element = input->element,
                             .bytes = input->bytes};
    strncpy(shown.name, input->name, sizeof shown.name - 1);
    return shown;
}

// ---------------------------------------------------------------- what makes sense

// Several outcomes share a name; the first of them stands for all.
static uint32_t first_of_name(uint32_t outcome) {
    uint32_t i = 0;
    while (strcmp(tsl_outcome_kind(i), tsl_outcome_kind(outcome)) != 0)
        i++;
    return i;
}

static bool ends_a_path(uint32_t outcome) {
    return outcome == TSL_OUT_OK || outcome == TSL_OUT_STEP_LIMIT ||
           outcome == TSL_OUT_TIME_LIMIT || tsl_outcome_is_bug(outcome);
}

static bool fits(const tsl_path_input *in) {
    return in->element >= 1 && in->element <= 8 && in->size % in->element == 0;
}

// A thread gets only one value for its n-th input.
static bool has_duplicate(const tsl_path *path, uint64_t *key) {
    size_t n = path->inputs.len, at = 1;
    TSL_VEC(uint64_t) keys = {0};
    for (size_t i = 0; i < n; i++)
        tsl_vec_push(&keys,
                     (uint64_t)path->inputs.data[i].thread << 32 | path->inputs.data[i].index);
    tsl_vec_sort(&keys, tsl_vec_by_u64);
    while (at < n && keys.data[at - 1] != keys.data[at])
        at++;
    *key = at < n ? keys.data[at] : 0;
    tsl_vec_drop(&keys);
    return at < n;
}

// ---------------------------------------------------------------- keeping

static size_t room_for(const tsl_path *path) {
    size_t room = LINE + 3 * (path->message ? strlen(path->message) : 0);
    for (size_t i = 0; i < path->inputs.len; i++)
        room += LINE + 2u * path->inputs.data[i].size + 3 * strlen(path->inputs.data[i].name);
    return room + LINE * path->choices.len;
}

static void keep_input(void *self, const tsl_shown_input *shown) {
    tsl_path *path = self;
    tsl_path_input in = {.thread = shown->thread,
                         .index = shown->index,
                         .size = shown->size,
                         .element = shown->element,
                         .kind = shown->kind,
                         .name = tsl_strdup(shown->name),
                         .bytes = tsl_alloc(shown->size)};
    memcpy(in.bytes, shown->bytes, shown->size);
    if (!fits(&in)) {
        in.kind = TSL_INPUT_BYTES;
        in.element = 1;
    }
    tsl_vec_push(&path->inputs, in);
}

static void keep_choices(tsl_path *path, const tsl_trace *trace) {
    for (size_t i = 0; i < trace->nevents; i++) {
        const tsl_event *e = &trace->events[i];
        if (tsl_trace_chose(trace, i))
            tsl_vec_push(&path->choices,
                         (tsl_path_choice){e->thread, e->res,
                                           e->addr <= MOST_CHOICES ? (uint32_t)e->addr : 0});
    }
}

static bool makes_sense(const tsl_path *path) {
    uint64_t key;
    for (size_t i = 0; i < path->inputs.len; i++)
        if (path->inputs.data[i].thread >= TSL_MAX_THREADS)
            return false;
    for (size_t i = 0; i < path->choices.len; i++)
        if (path->choices.data[i].thread >= TSL_MAX_THREADS ||
            path->choices.data[i].taken >= path->choices.data[i].of)
            return false;
    return ends_a_path(path->outcome) && !has_duplicate(path, &key);
}

static char *message_of(const tsl_trace_head *head, const char *file, uint32_t line) {
    int n = (int)strnlen(head->message, sizeof head->message);
    if (!tsl_outcome_is_bug(head->outcome) || n == 0)
        return NULL;
    return file[0] ? tsl_asprintf("%.*s at %s:%u", n, head->message, file, line)
                   : tsl_strndup(head->message, (size_t)n);
}

static tsl_path path_of(uint64_t id, const tsl_trace *trace, const char *file, uint32_t line) {
    const tsl_trace_head *head = trace->head;
    tsl_path path = {.outcome = head->outcome < TSL_OUT_COUNT ? first_of_name(head->outcome) : 0,
                     .exit_status = (uint8_t)head->exit_status,
                     .has_threads = !(head->flags & TSL_TRACE_NO_THREADS),
                     .message = message_of(head, file, line),
                     .id = id};
    tsl_trace_each_input(trace, keep_input, &path);
    keep_choices(&path, trace);
    return path;
}

static tsl_path *find(tsl_paths *paths, uint64_t id) {
    for (size_t i = 0; i < paths->list.len; i++)
        if (paths->list.data[i].id == id)
            return &paths->list.data[i];
    return NULL;
}

// Puts a path into `to`, or appends it.
static bool put(tsl_paths *paths, tsl_path *path, tsl_path *to) {
    size_t room = room_for(path);
    if (!makes_sense(path))
        return false;
    paths->full = room > ROOM - paths->room;
    if (paths->full)
        return false;
    paths->room += room;
    if (!to) {
        tsl_vec_push(&paths->list, *path);
        return true;
    }
    drop_path(to);
    *to = *path;
    return true;
}

void tsl_paths_keep(tsl_paths *paths, uint64_t id, const tsl_trace *trace, const char *file,
                    uint32_t line) {
    bool fresh = tsl_set_insert(&paths->seen, id);
    bool fails = tsl_outcome_is_bug(trace->head->outcome) && tsl_set_insert(&paths->failed, id);
    if (!fresh && !fails)
        return;
    tsl_path *known = fresh || paths->full ? NULL : find(paths, id);
    if (!fresh && !known)
        return;
    bool kept = false;
    if (!paths->full) {
        tsl_path path = path_of(id, trace, file, line);
        kept = put(paths, &path, known);
        if (!kept)
            drop_path(&path);
    }
    paths->left_out += !kept && fresh;
}

// ---------------------------------------------------------------- parsing

// Checks the last path, which is complete now.
static bool check_path(const tsl_lines *in, void *to) {
    const tsl_paths *paths = to;
    uint64_t key;
    if (!paths->list.len || !has_duplicate(&tsl_vec_last(&paths->list), &key))
        return true;
    return TSL_REFUSE(in, TSL_EINPUT,
                      "path %zu, before this line, has two values for input %u of thread %u; "
                      "keep one of them",
                      paths->list.len, (uint32_t)key, (uint32_t)(key >> 32));
}

static bool parse_outcome(const tsl_lines *in, tsl_span word, uint32_t *outcome) {
    for (uint32_t i = 0; i < TSL_OUT_COUNT; i++)
        if (ends_a_path(i) && tsl_span_is(word, tsl_outcome_kind(i))) {
            *outcome = i;
            return true;
        }
    return TSL_REFUSE(in, TSL_EINPUT,
                      "unknown outcome '%s'; write ok, step-limit, time-limit or a kind of bug as "
                      "in --json",
                      tsl_quote(word).text);
}

static bool parse_path(const tsl_lines *in, void *to, tsl_span value) {
    tsl_paths *paths = to;
    uint64_t status = 0;
    tsl_path path = {0};
    if (!check_path(in, to) || !parse_outcome(in, tsl_span_word(&value), &path.outcome) ||
        !tsl_lines_number(in, "exit status", tsl_span_word(&value), 0, 255, &status))
        return false;
    path.exit_status = (uint8_t)status;
    path.has_threads = tsl_span_is(value, "threads");
    if (value.len && !path.has_threads)
        return TSL_REFUSE(in, TSL_EINPUT, "'%s' behind the exit status; write threads or nothing",
                          tsl_quote(value).text);
    tsl_vec_push(&paths->list, path);
    return true;
}

static bool in_path(const tsl_lines *in, const tsl_paths *paths, const char *word) {
    return paths->list.len ||
           TSL_REFUSE(in, TSL_EINPUT, "'%s' before the first path; move it behind a line 'path'",
                      word);
}

static bool parse_message(const tsl_lines *in, void *to, tsl_span value) {
    tsl_paths *paths = to;
    if (!in_path(in, paths, "message"))
        return false;
    tsl_path *path = &tsl_vec_last(&paths->list);
    if (path->message)
        return TSL_REFUSE(in, TSL_EINPUT, "%s", "a second 'message'; keep one of them");
    return tsl_lines_text(in, value, &path->message);
}

static bool parse_kind(const tsl_lines *in, tsl_span word, uint8_t *kind) {
    for (unsigned i = 0; i < TSL_INPUT_KINDS; i++)
        if (tsl_span_is(word, kind_names[i])) {
            *kind = (uint8_t)i;
            return true;
        }
    return TSL_REFUSE(in, TSL_EINPUT,
                      "unknown kind of input '%s'; write bytes, signed, unsigned, bool or text",
                      tsl_quote(word).text);
}

static bool parse_input(const tsl_lines *in, void *to, tsl_span value) {
    tsl_paths *paths = to;
    tsl_path_input input = {0};
    size_t size = 0;
    if (!in_path(in, paths, "input") ||
        !tsl_lines_u32(in, "thread", tsl_span_word(&value), 0, TSL_MAX_THREADS - 1,
                       &input.thread) ||
        !tsl_lines_u32(in, "input", tsl_span_word(&value), 0, UINT32_MAX, &input.index) ||
        !parse_kind(in, tsl_span_word(&value), &input.kind) ||
        !tsl_lines_u32(in, "size of an element", tsl_span_word(&value), 1, 8, &input.element) ||
        !tsl_lines_hex(in, "input", tsl_span_word(&value), TSL_MAX_INPUT, &input.bytes, &size))
        return false;
    input.size = (uint32_t)size;
    bool ok = fits(&input) || TSL_REFUSE(in, TSL_EINPUT,
                                         "%u bytes can't be cut into elements of %u; write "
                                         "another size of an element",
                                         input.size, input.element);
    if (!ok || !tsl_lines_text(in, value, &input.name)) {
        tsl_free(input.bytes);
        return false;
    }
    tsl_vec_push(&tsl_vec_last(&paths->list).inputs, input);
    return true;
}

static bool parse_choice(const tsl_lines *in, void *to, tsl_span value) {
    tsl_paths *paths = to;
    tsl_path_choice choice;
    if (!in_path(in, paths, "choice") ||
        !tsl_lines_u32(in, "thread", tsl_span_word(&value), 0, TSL_MAX_THREADS - 1,
                       &choice.thread) ||
        !tsl_lines_u32(in, "choice", tsl_span_word(&value), 0, MOST_CHOICES - 1, &choice.taken) ||
        !tsl_lines_u32(in, "number of alternatives", value, choice.taken + 1, MOST_CHOICES,
                       &choice.of))
        return false;
    tsl_vec_push(&tsl_vec_last(&paths->list).choices, choice);
    return true;
}

#define AT(field) .at = offsetof(tsl_paths, field)
static const tsl_word words[] = {
    {"program", TSL_WORD_NEEDED, AT(program)},
    {"arg", TSL_WORD_LIST, AT(args)},
    {"stdin", TSL_WORD_NEEDED, AT(stdin_path)},
    {"left-out", TSL_WORD_NUMBER, AT(left_out), .max = UINT64_MAX},
    {"path", .parse = parse_path, .again = true},
    {"message", .parse = parse_message, .again = true},
    {"input", .parse = parse_input, .again = true},
    {"choice", .parse = parse_choice, .again = true},
};

static const tsl_format format = {
    .name = "teasel-paths",
    .version = TSL_PATHS_VERSION,
    .what = "a paths file",
    .advice = "export with the Teasel that wrote it, or run `teasel test` again",
    .most = TSL_PATHS_MAX,
    .words = words,
    .nwords = sizeof words / sizeof *words,
    .at_end = check_path,
};

bool tsl_paths_parse(const char *name, const char *text, size_t len, tsl_paths *out, tsl_err *err) {
    tsl_paths_drop(out);
    bool ok = tsl_lines_parse(&format, name, text, len, out, err);
    if (!ok)
        tsl_paths_drop(out);
    return ok;
}

bool tsl_paths_read(const char *path, tsl_paths *out, tsl_err *err) {
    tsl_paths_drop(out);
    bool ok = tsl_lines_read(&format, path, out, err);
    if (!ok)
        tsl_paths_drop(out);
    return ok;
}

// ---------------------------------------------------------------- writing

static void put_path(tsl_buf *out, const tsl_path *path) {
    tsl_buf_add(out, "path %s %u%s\n", tsl_outcome_kind(path->outcome), path->exit_status,
                path->has_threads ? " threads" : "");
    if (path->message)
        tsl_lines_put(out, "message", path->message);
    for (size_t i = 0; i < path->inputs.len; i++) {
        const tsl_path_input *in = &path->inputs.data[i];
        tsl_buf_add(out, "input %u %u %s %u ", in->thread, in->index, kind_names[in->kind],
                    in->element);
        tsl_lines_put_hex(out, in->bytes, in->size);
        tsl_buf_putc(out, ' ');
        tsl_lines_put_text(out, in->name);
        tsl_buf_putc(out, '\n');
    }
    for (size_t i = 0; i < path->choices.len; i++) {
        const tsl_path_choice *choice = &path->choices.data[i];
        tsl_buf_add(out, "choice %u %u %u\n", choice->thread, choice->taken, choice->of);
    }
}

static void put_head(tsl_buf *out, const tsl_paths *paths) {
    tsl_lines_put_head(out, &format, paths->program, &paths->args);
    if (paths->stdin_path)
        tsl_lines_put(out, "stdin", paths->stdin_path);
    if (paths->left_out)
        tsl_buf_add(out, "left-out %" PRIu64 "\n", paths->left_out);
}

void tsl_paths_format(const tsl_paths *paths, tsl_buf *out) {
    put_head(out, paths);
    for (size_t i = 0; i < paths->list.len; i++)
        put_path(out, &paths->list.data[i]);
    tsl_buf_puts(out, "end\n");
}

// Paths that can't be written in time count as left out.
bool tsl_paths_write(const char *path, tsl_paths *paths, tsl_err *err) {
    tsl_buf out = {0}, body = {0};
    size_t n = 0;
    while (n < paths->list.len && !tsl_deadline_passed())
        put_path(&body, &paths->list.data[n++]);
    paths->left_out += paths->list.len - n;
    while (paths->list.len > n) {
        tsl_path gone = tsl_vec_pop(&paths->list);
        drop_path(&gone);
    }
    put_head(&out, paths);
    tsl_buf_puts(&out, tsl_buf_text(&body));
    tsl_buf_puts(&out, "end\n");
    tsl_buf_drop(&body);
    return tsl_file_write_text(path, &out, err);
}
