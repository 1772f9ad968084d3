// Options that make inputs of what a program gets from outside; see outside.h.
#include "cli/outside.h"

#include <string.h>

#include "base/file.h"
#include "base/num.h"

// Parses how many bytes an input has.  `example`, for the message, is a correct use of the option.
static bool size_of(const char *option, const char *text, size_t len, const char *example,
                    uint32_t *out, tsl_err *err) {
    uint64_t size = 0;
    enum tsl_num problem = tsl_num_u64(text, len, &size);
    if (problem != TSL_NUM_OK && problem != TSL_NUM_OVERFLOW)
        return tsl_fail(err, TSL_EUSAGE, "--%s: '%.*s' %s; it says how many bytes: %s", option,
                        (int)len, text, tsl_num_problem(problem), example);
    if (problem == TSL_NUM_OVERFLOW || size == 0 || size > TSL_MAX_INPUT)
        return tsl_fail(err, TSL_EUSAGE, "--%s: an input has 1 to %u bytes, not %.*s: %s", option,
                        TSL_MAX_INPUT, (int)len, text, example);
    *out = (uint32_t)size;
    return true;
}

// ---------------------------------------------------------------- --stdin

static bool is_number(const char *text) { return *text && !text[strspn(text, "0123456789")]; }

// A number says how many bytes are an input.  A file named 5 is given as ./5.
static bool check_stdin(tsl_outside_options *o, tsl_err *err) {
    const char *text = o->standard_input;
    uint32_t size;
    if (!text || !is_number(text)) {
        o->stdin_path = text;
        return true;
    }
    return size_of("stdin", text, strlen(text), "--stdin 16 (--stdin ./16 names a file)", &size,
                   err) &&
           tsl_outsides_add(&o->outside, TSL_OUTSIDE_STDIN, size, 0, "", err);
}

// ---------------------------------------------------------------- --argv

// A word consists of characters that stand for themselves, of @@, which stands for @, and maybe of an
// input (@N) at its end.
static bool check_word(tsl_outside_options *o, const char *word, size_t len, tsl_err *err) {
    tsl_buf text = {0};
    uint32_t size = 0;
    tsl_buf_puts(&text, "");
    for (size_t i = 0; i < len && !size; i++) {
        bool twice = word[i] == '@' && i + 1 < len && word[i + 1] == '@';
        bool input = word[i] == '@' && i + 1 < len && strchr("0123456789", word[i + 1]);
        i += twice;
        if (!input)
            tsl_buf_putc(&text, word[i]);
        else if (!size_of("argv", word + i + 1, len - i - 1, "@3 at the end of a word; @@ is an @",
                          &size, err)) {
            tsl_buf_drop(&text);
            return false;
        }
    }
    tsl_vec_push(&o->words, tsl_buf_take(&text));
    return !size ||
           tsl_outsides_add(&o->outside, TSL_OUTSIDE_ARG, size, (uint32_t)o->words.len, "", err);
}

static bool check_argv(tsl_outside_options *o, tsl_words *args, tsl_err *err) {
    static const char blanks[] = " \t\n";
    const char *at = o->argv;
    if (!at)
        return true;
    if (args->len)
        return tsl_fail(err, TSL_EUSAGE,
                        "arguments behind -- and --argv; write all of them into --argv");
    for (at += strspn(at, blanks); *at; at += strspn(at, blanks)) {
        size_t len = strcspn(at, blanks);
        if (!check_word(o, at, len, err))
            return false;
        at += len;
    }
    if (!o->words.len)
        return tsl_fail(err, TSL_EUSAGE, "--argv has no words; write it like --argv '-x @3'");
    tsl_vec_append(args, o->words.data, o->words.len);
    return true;
}

// ---------------------------------------------------------------- --file, --env

// NAME=N; the name may contain =.
static bool check_named(tsl_outside_options *o, enum tsl_outside_kind kind, const char *option,
                        const char *text, const char *example, tsl_err *err) {
    const char *split = strrchr(text, '=');
    uint32_t size;
    if (!split || split == text)
        return tsl_fail(err, TSL_EUSAGE, "--%s: '%s' is not NAME=N; write it like %s", option, text,
                        example);
    if (!size_of(option, split + 1, strlen(split + 1), example, &size, err))
        return false;
    char *name = tsl_strndup(text, (size_t)(split - text));
    bool ok = tsl_outsides_add(&o->outside, kind, size, 0, name, err);
    tsl_free(name);
    return ok;
}

static bool check_files(tsl_outside_options *o, tsl_err *err) {
    for (size_t i = 0; i < o->files.len; i++)
        if (!check_named(o, TSL_OUTSIDE_FILE, "file", o->files.data[i], "--file config.txt=20",
                         err))
            return false;
    return true;
}

static bool check_env(tsl_outside_options *o, tsl_err *err) {
    for (size_t i = 0; i < o->env.len; i++) {
        const char *text = o->env.data[i];
        if (strchr(text, '=') != strrchr(text, '='))
            return tsl_fail(err, TSL_EUSAGE, "--env: '%s' has two =; write it like --env LANG=5",
                            text);
        if (!check_named(o, TSL_OUTSIDE_ENV, "env", text, "--env LANG=5", err))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- --seed-input

static bool check_first(tsl_outside_options *o, tsl_err *err) {
    char *bytes;
    size_t size;
    if (!o->first)
        return true;
    if (!tsl_file_read(o->first, &bytes, &size, err))
        return false;
    bool fits = size > 0 && size <= TSL_MAX_INPUT;
    if (fits)
        tsl_outsides_set_first(&o->outside, bytes, size);
    tsl_free(bytes);
    return fits || tsl_fail(err, TSL_EUSAGE, "--seed-input: %s has %zu bytes; 1 to %u are of use",
                            o->first, size, TSL_MAX_INPUT);
}

// ---------------------------------------------------------------- all

bool tsl_outside_options_check(tsl_outside_options *o, tsl_words *args, tsl_err *err) {
    return check_stdin(o, err) && check_argv(o, args, err) && check_files(o, err) &&
           check_env(o, err) && check_first(o, err);
}

void tsl_outside_options_drop(tsl_outside_options *o) {
    tsl_texts_drop(&o->words);
    tsl_vec_drop(&o->files);
    tsl_vec_drop(&o->env);
    tsl_outsides_drop(&o->outside);
}
