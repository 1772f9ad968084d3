#include "report/path.h"

#include <string.h>

#include "report/input.h"
#include "report/names.h"
#include "trace/lines.h"

void tsl_path_end_text(const tsl_path *path, tsl_buf *out) {
    bool exits = path->outcome == TSL_OUT_OK || path->outcome == TSL_OUT_EXIT_STATUS;
    if (exits) {
        tsl_buf_add(out, "exit status %u", path->exit_status);
        return;
    }
    tsl_buf_puts(out, tsl_outcome_headline(path->outcome));
    if (!path->message)
        return;
    tsl_buf_puts(out, ": ");
    tsl_names_clean(path->message, strlen(path->message), out);
}

void tsl_path_input_text(const tsl_path_input *input, tsl_buf *out) {
    tsl_shown_input shown = tsl_path_input_shown(input);
    tsl_names_clean(input->name, strlen(input->name), out);
    if (input->thread)
        tsl_buf_add(out, " (thread %u)", input->thread);
    tsl_buf_puts(out, " = ");
    tsl_input_value_text(&shown, out);
}

// ---------------------------------------------------------------- files

static bool harmless(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static char *file_name(const char *name) {
    enum { MOST = 100 };
    char *copy = tsl_strndup(*name ? name : "input", MOST);
    for (char *c = copy; *c; c++)
        if (!harmless(*c))
            *c = '_';
    return copy;
}

// How many of the first n inputs have the same name as number n?
static size_t same_before(const tsl_texts *plain, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += strcmp(plain->data[i], plain->data[n]) == 0;
    return count;
}

// No plain name contains a dash, so a name with a number never equals a plain one.
void tsl_path_files_of(const tsl_path *path, tsl_texts *out) {
    tsl_texts plain = {0};
    for (size_t i = 0; i < path->inputs.len; i++) {
        tsl_vec_push(&plain, file_name(path->inputs.data[i].name));
        bool is_text = strcmp(plain.data[i], "txt") == 0; // the path's own file
        size_t number = 1 + is_text + same_before(&plain, i);
        tsl_vec_push(out, number == 1 ? tsl_strdup(plain.data[i])
                                      : tsl_asprintf("%s-%zu", plain.data[i], number));
    }
    tsl_texts_drop(&plain);
}

// ---------------------------------------------------------------- text

static void inputs(const tsl_path *path, size_t number, const tsl_texts *files, tsl_buf *out) {
    for (size_t i = 0; i < path->inputs.len; i++) {
        const tsl_path_input *in = &path->inputs.data[i];
        tsl_path_input_text(in, out);
        tsl_buf_add(out, "\n  path-%04zu.%s: ", number, files->data[i]);
        tsl_lines_put_hex(out, in->bytes, in->size);
        tsl_buf_putc(out, '\n');
    }
}

static void choices(const tsl_path *path, tsl_buf *out) {
    for (size_t i = 0; i < path->choices.len; i++) {
        const tsl_path_choice *choice = &path->choices.data[i];
        tsl_buf_puts(out, "choice");
        if (choice->thread)
            tsl_buf_add(out, " (thread %u)", choice->thread);
        tsl_buf_add(out, " = %u of %u\n", choice->taken, choice->of);
    }
}

void tsl_path_text(const tsl_paths *paths, size_t i, const tsl_texts *files, tsl_buf *out) {
    const tsl_path *path = &paths->list.data[i];
    tsl_buf_add(out, "path %zu of %zu of ", i + 1, paths->list.len);
    tsl_names_clean(paths->program, strlen(paths->program), out);
    tsl_buf_add(out, "\noutcome: %s\nexit status: %u\n", tsl_outcome_kind(path->outcome),
                path->exit_status);
    tsl_buf_puts(out, "end: ");
    tsl_path_end_text(path, out);
    tsl_buf_puts(out, path->has_threads ? "\nthreads: yes, so the schedule may matter too\n\n"
                                        : "\nthreads: no\n\n");
    inputs(path, i + 1, files, out);
    choices(path, out);
}
