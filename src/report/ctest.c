#include "report/ctest.h"

#include <string.h>

#include "report/path.h"

static const char marker[] = "@TABLES@\n";

// ---------------------------------------------------------------- literals

// All three digits of an octal escape are written, so that a digit after it can't join; ? is
// escaped because of trigraphs.
static void put_char(tsl_buf *out, uint8_t c) {
    if (c == '"' || c == '\\' || c == '?')
        tsl_buf_add(out, "\\%c", c);
    else if (c >= 0x20 && c < 0x7f)
        tsl_buf_putc(out, (char)c);
    else
        tsl_buf_add(out, "\\%03o", c);
}

static void put_string(tsl_buf *out, const char *text) {
    tsl_buf_putc(out, '"');
    for (; *text; text++)
        put_char(out, (uint8_t)*text);
    tsl_buf_putc(out, '"');
}

// Writes bytes in several lines.  A bool is reduced to 0 or 1.
static void put_bytes(tsl_buf *out, const tsl_path_input *in) {
    enum { WIDTH = 16 };
    bool text = in->kind == TSL_INPUT_TEXT;
    tsl_buf_puts(out, in->size > WIDTH ? "\n     \"" : "\"");
    for (uint32_t i = 0; i < in->size; i++) {
        uint8_t c = in->kind == TSL_INPUT_BOOL ? in->bytes[i] & 1 : in->bytes[i];
        if (i && i % WIDTH == 0)
            tsl_buf_puts(out, "\"\n     \"");
        if (text)
            put_char(out, c);
        else
            tsl_buf_add(out, "\\x%02x", c);
    }
    tsl_buf_putc(out, '"');
}

// For comments: compilers want these to be UTF-8.
static void put_ascii(tsl_buf *out, const char *text) {
    for (; *text; text++)
        tsl_buf_putc(out, *text >= 0x20 && *text < 0x7f ? *text : '?');
}

// ---------------------------------------------------------------- tables

// The comment ends with the value, so never with a backslash.
static void put_comment(tsl_buf *out, const tsl_path_input *in) {
    tsl_buf text = {0};
    tsl_path_input_text(in, &text);
    put_ascii(out, tsl_buf_text(&text));
    tsl_buf_drop(&text);
}

static void put_values(tsl_buf *out, const tsl_path *path, size_t number) {
    if (!path->inputs.len)
        return;
    tsl_buf_add(out, "static const struct value values_%zu[] = {\n", number);
    for (size_t i = 0; i < path->inputs.len; i++) {
        const tsl_path_input *in = &path->inputs.data[i];
        tsl_buf_puts(out, "    // ");
        put_comment(out, in);
        tsl_buf_add(out, "\n    {%u, %u, %u, ", in->thread, in->index, in->size);
        put_string(out, in->name);
        tsl_buf_puts(out, ", ");
        put_bytes(out, in);
        tsl_buf_puts(out, "},\n");
    }
    tsl_buf_puts(out, "};\n");
}

static void put_choices(tsl_buf *out, const tsl_path *path, size_t number) {
    if (!path->choices.len)
        return;
    tsl_buf_add(out, "static const struct choice choices_%zu[] = {\n", number);
    for (size_t i = 0; i < path->choices.len; i++) {
        const tsl_path_choice *choice = &path->choices.data[i];
        tsl_buf_add(out, "    {%u, %u, %u},\n", choice->thread, choice->taken, choice->of);
    }
    tsl_buf_puts(out, "};\n");
}

// A bug must happen again only if it needs neither Teasel, to be seen, nor a schedule.
static const char *expected(const tsl_path *path) {
    switch (path->outcome) {
    case TSL_OUT_OK:
    case TSL_OUT_EXIT_STATUS:
        return "ENDS";
    case TSL_OUT_STEP_LIMIT:
    case TSL_OUT_TIME_LIMIT:
        return "CUT";
    case TSL_OUT_ASSERTION:
    case TSL_OUT_SIGNAL:
        return path->has_threads ? "MAY_FAIL" : "FAILS";
    default:
        return "MAY_FAIL";
    }
}

// In TAP # begins a directive, so it is escaped.
static void put_end(tsl_buf *out, const tsl_path *path) {
    tsl_buf end = {0};
    tsl_path_end_text(path, &end);
    tsl_buf_putc(out, '"');
    for (size_t i = 0; i < end.len; i++) {
        if (end.data[i] == '#')
            tsl_buf_puts(out, "\\\\");
        put_char(out, (uint8_t)end.data[i]);
    }
    tsl_buf_putc(out, '"');
    tsl_buf_drop(&end);
}

static void put_table(tsl_buf *out, const char *name, size_t len, size_t number) {
    if (len)
        tsl_buf_add(out, ", %s_%zu, %zu", name, number, len);
    else
        tsl_buf_puts(out, ", NULL, 0");
}

static void put_paths(tsl_buf *out, const tsl_paths *paths) {
    tsl_buf_puts(out, "\nstatic const struct path paths[] = {\n");
    for (size_t i = 0; i < paths->list.len; i++) {
        const tsl_path *path = &paths->list.data[i];
        tsl_buf_add(out, "    {%s, %u, %u, ", expected(path), path->exit_status, path->has_threads);
        put_end(out, path);
        put_table(out, "values", path->inputs.len, i + 1);
        put_table(out, "choices", path->choices.len, i + 1);
        tsl_buf_puts(out, "},\n");
    }
    tsl_buf_puts(out, "};\n");
}

static void put_tables(tsl_buf *out, const tsl_paths *paths) {
    tsl_buf_puts(out, "static const char *const arguments[] = {");
    put_string(out, paths->program);
    for (size_t i = 0; i < paths->args.len; i++) {
        tsl_buf_puts(out, ", ");
        put_string(out, paths->args.data[i]);
    }
    tsl_buf_puts(out, ", NULL};\nstatic const char standard_input[] = ");
    put_string(out, paths->stdin_path ? paths->stdin_path : "/dev/null");
    tsl_buf_puts(out, ";\n\n");
    for (size_t i = 0; i < paths->list.len; i++) {
        put_values(out, &paths->list.data[i], i + 1);
        put_choices(out, &paths->list.data[i], i + 1);
    }
    put_paths(out, paths);
    tsl_buf_putc(out, '\n');
}

// ---------------------------------------------------------------- the file

// The program's name is not put at the end of a line, because it could end with a backslash.
static void put_head(tsl_buf *out, const tsl_paths *paths) {
    size_t n = paths->list.len;
    tsl_buf_add(out, "// Inputs of %zu path%s of `", n, n == 1 ? "" : "s");
    put_ascii(out, paths->program);
    tsl_buf_puts(
        out,
        "`, found by Teasel " TEASEL_VERSION " and written by `teasel export --c`:\n"
        "// a test that does not need Teasel.  It is compiled together with the program:\n"
        "//\n"
        "//     cc -DTEASEL_EXPORTED -I DIR prog.c THIS-FILE.c -pthread -o paths-test\n"
        "//     ./paths-test\n"
        "//\n"
        "// DIR is where teasel.h is, for programs that include it; `pkg-config --cflags teasel` "
        "knows.\n"
        "// The program's main is not changed: this file runs before it, starts the program once "
        "for each\n"
        "// path and prints TAP.  A path is ok if it ends as recorded: with the same exit status, "
        "or, if a\n"
        "// bug was found, with a failure again.  The exit status is 0 if all paths are ok.\n"
        "//\n"
        "//     TEASEL_PATH=3 ./paths-test ARGUMENTS     runs only path 3, for instance in a "
        "debugger\n"
        "//\n"
        "// Standard input, arguments and environment variables that are inputs are set, but not "
        "if only\n"
        "// one path is run.  Paths that read a file that is an input are left out.\n"
        "//\n"
        "// Inputs and choices are replayed; schedules are not.  A thread other than main gets the "
        "inputs of\n"
        "// the recorded thread whose first input has the same name and size; if several have, the "
        "thread\n"
        "// that asks first gets the inputs of the first of them.  Bugs of programs with threads, "
        "and bugs\n"
        "// that only Teasel sees (use after free, overflows, deadlocks), may happen again or not; "
        "`teasel\n"
        "// replay` has their schedules.\n"
        "//\n"
        "// C99 and POSIX, for gcc and clang on Linux.\n");
}

void tsl_ctest(const tsl_paths *paths, tsl_buf *out) {
    const char *tables = strstr(tsl_ctest_text, marker);
    TSL_BUG_ON(!tables, "no place for the tables");
    TSL_BUG_ON(!paths->list.len, "no paths");
    put_head(out, paths);
    tsl_buf_bytes(out, tsl_ctest_text, (size_t)(tables - tsl_ctest_text));
    put_tables(out, paths);
    tsl_buf_puts(out, tables + sizeof marker - 1);
}
