// Reads the command line by the table of rules.def; see args.h.
#include "cc/args.h"

#include <string.h>

#include "base/file.h"
#include "cc/respfile.h"

// ---------------------------------------------------------------- the table

enum shape { WHOLE, PREFIX, NEXT, EITHER };

enum action {
    NONE,
    // Set the mode.
    OBJECT,
    ASSEMBLY,
    PREPROCESS,
    STRAIGHT,
    // Set a flag of tsl_cc_args.
    EMIT_LLVM,
    DEPS,
    DEPS_FILE,
    DEPS_TARGET,
    SHARED,
    STATIC,
    RELOCATABLE,
    NO_RUNTIME,
    COVERAGE,
    DEBUG,
    DEBUG_OFF,
    // Keep the flag or its value.
    OUTPUT,
    LINKER,
    TARGET,
    OPTIMISE,
    LANGUAGE,
    SANITIZE,
    PREPROCESSOR,
    BITS32,
    NEXT_WORD // the flag takes the next word too, although its shape does not say so
};

enum { FRONT = TSL_CC_FRONT, BACK = TSL_CC_BACK, LINK = TSL_CC_LINK };
enum { COMPILE = TSL_CC_COMPILE, ALL = TSL_CC_ALL };

typedef struct rule {
    const char *flag;
    enum shape shape;
    unsigned stages;
    enum action action;
} rule;

static const rule rules[] = {
#define RULE(flag, shape, stages, action) {flag, shape, stages, action},
#include "cc/rules.def"
#undef RULE
};

static bool matches(const rule *r, const char *word) {
    bool starts = !strncmp(word, r->flag, strlen(r->flag));
    bool whole = starts && !word[strlen(r->flag)];
    return r->shape == WHOLE || r->shape == NEXT ? whole : starts;
}

static const rule *find_rule(const char *word) {
    static const rule unknown = {"", WHOLE, FRONT | LINK, NONE};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (matches(&rules[i], word))
            return &rules[i];
    return &unknown;
}

static bool takes_next(const rule *r, const char *word) {
    return r->shape == NEXT || r->action == NEXT_WORD ||
           (r->shape == EITHER && !word[strlen(r->flag)]);
}

// ---------------------------------------------------------------- inputs

static bool one_of(const char *list, const char *word) {
    size_t len = strlen(word);
    for (const char *at = len ? strstr(list, word) : NULL; at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
            return true;
    return false;
}

static enum tsl_cc_input_kind kind_of_language(const char *language) {
    if (one_of("c cpp-output", language))
        return TSL_CC_INPUT_C;
    if (one_of("assembler assembler-with-cpp", language))
        return TSL_CC_INPUT_ASM;
    if (one_of("c-header", language))
        return TSL_CC_INPUT_HEADER;
    return one_of("ir", language) ? TSL_CC_INPUT_IR : TSL_CC_INPUT_FOREIGN;
}

static enum tsl_cc_input_kind kind_of_name(const char *path) {
    const char *dot = strrchr(tsl_file_base(path), '.'), *ext = dot ? dot + 1 : "";
    if (!strcmp(path, "-") || one_of("c i", ext))
        return TSL_CC_INPUT_C;
    if (one_of("s S sx asm", ext))
        return TSL_CC_INPUT_ASM;
    if (one_of("bc ll", ext))
        return TSL_CC_INPUT_IR;
    if (one_of("h", ext))
        return TSL_CC_INPUT_HEADER;
    if (one_of("cc cpp cxx c++ C CC CPP cp ii hpp hh H m mm mi mii cu cl f f90 F rs", ext))
        return TSL_CC_INPUT_FOREIGN;
    return TSL_CC_INPUT_OBJECT;
}

static void add_input(tsl_cc_args *a, const char *path, const char *language) {
    tsl_cc_input input = {.path = path, .language = language};
    input.kind = language ? kind_of_language(language) : kind_of_name(path);
    tsl_vec_push(&a->args, (tsl_cc_arg){.text = path, .stages = LINK, .input = (int)a->inputs.len});
    tsl_vec_push(&a->inputs, input);
}

// ---------------------------------------------------------------- actions

static void add_flag(tsl_cc_args *a, const char *text, const char *value, unsigned stages) {
    if (stages)
        tsl_vec_push(&a->args,
                     (tsl_cc_arg){.text = text, .value = value, .stages = stages, .input = -1});
}

// These sanitizers have runtimes of their own, which compete with Teasel's for threads, memory or
// the heap.  -fsanitize=undefined needs none of these.
static void check_sanitizers(tsl_cc_args *a, const char *list) {
    char *copy = tsl_strdup(list), *save = NULL;
    for (char *s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save))
        if (one_of("address thread memory leak hwaddress kernel-address kernel-memory "
                   "kernel-hwaddress dataflow fuzzer fuzzer-no-link memtag memtag-stack "
                   "memtag-heap safe-stack shadow-call-stack realtime type numerical all",
                   s))
            a->refused = tsl_asprintf("-fsanitize=%s can't be combined with Teasel, which finds "
                                      "races and heap errors itself; -fsanitize=undefined can",
                                      s);
    tsl_free(copy);
}

// -Wp,A,B: dependency flags are treated like -MD and -MF, _FORTIFY_SOURCE is dropped because it
// would hide calls behind __*_chk, and the rest is passed on.
static void preprocessor_flags(tsl_cc_args *a, const char *list) {
    char *copy = tsl_strdup(list), *save = NULL;
    for (char *s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
        if (!strcmp(s, "-MD") || !strcmp(s, "-MMD")) {
            add_flag(a, tsl_strdup(s), NULL, FRONT);
            char *file = strtok_r(NULL, ",", &save);
            if (file)
                add_flag(a, "-MF", tsl_strdup(file), FRONT);
            a->deps = true;
            a->deps_file |= file != NULL;
        } else if (!strstr(s, "_FORTIFY_SOURCE")) {
            add_flag(a, tsl_asprintf("-Wp,%s", s), NULL, FRONT);
        }
    }
    tsl_free(copy);
}

static void raise_mode(tsl_cc_args *a, enum tsl_cc_mode mode) {
    if (mode > a->mode)
        a->mode = mode;
}

// `word` is the whole flag, `value` its value, whether joined or separate.
static void act(tsl_cc_args *a, enum action action, const char *word, const char *value,
                const char **language) {
    static const enum tsl_cc_mode modes[] = {[OBJECT] = TSL_CC_MODE_OBJECT,
                                             [ASSEMBLY] = TSL_CC_MODE_ASSEMBLY,
                                             [PREPROCESS] = TSL_CC_MODE_PREPROCESS,
                                             [STRAIGHT] = TSL_CC_MODE_STRAIGHT};
    bool *const flags[] = {[EMIT_LLVM] = &a->emit_llvm,
                           [DEPS] = &a->deps,
                           [DEPS_FILE] = &a->deps_file,
                           [DEPS_TARGET] = &a->deps_target,
                           [SHARED] = &a->is_shared,
                           [STATIC] = &a->is_static,
                           [RELOCATABLE] = &a->is_relocatable,
                           [NO_RUNTIME] = &a->no_runtime,
                           [COVERAGE] = &a->coverage,
                           [DEBUG] = &a->debug,
                           [DEBUG_OFF] = &a->debug};
    if (action >= OBJECT && action <= STRAIGHT)
        raise_mode(a, modes[action]);
    else if (action >= EMIT_LLVM && action <= DEBUG_OFF)
        *flags[action] = action != DEBUG_OFF;
    else if (action == OUTPUT)
        a->output = value;
    else if (action == LINKER)
        a->linker = value;
    else if (action == TARGET)
        a->target = value;
    else if (action == OPTIMISE)
        a->opt = word;
    else if (action == LANGUAGE)
        *language = strcmp(value, "none") ? value : NULL;
    else if (action == SANITIZE)
        check_sanitizers(a, value);
    else if (action == PREPROCESSOR)
        preprocessor_flags(a, value);
    else if (action == BITS32)
        a->refused = tsl_asprintf("%s: Teasel knows 64-bit x86 and ARM only", word);
}

// ---------------------------------------------------------------- our own flags

static bool parse_dump(tsl_cc_args *a, const char *stage, tsl_err *err) {
    static const char *const names[] = {"", "frontend", "promote", "instrument", "link"};
    for (int i = 1; i < 5; i++)
        if (!strcmp(stage, names[i])) {
            a->dump = (enum tsl_cc_dump)i;
            return true;
        }
    return tsl_fail(err, TSL_EUSAGE,
                    "--dump-after=%s: the stages are frontend, promote, instrument and link",
                    stage);
}

// Returns the number of words taken: 0 if the flag is not ours, -1 for an error.
static int own_flag(tsl_cc_args *a, const char *const *words, size_t left, tsl_err *err) {
    if (!strcmp(words[0], "--teasel-help"))
        a->help = true;
    else if (!strcmp(words[0], "--print-command"))
        a->print_command = true;
    else if (!strncmp(words[0], "--dump-after=", 13))
        return parse_dump(a, words[0] + 13, err) ? 1 : -1;
    else if (!strcmp(words[0], "--instrument")) {
        if (left < 3) {
            tsl_fail(err, TSL_EUSAGE, "--instrument takes two file names: IN OUT");
            return -1;
        }
        a->instrument_in = words[1];
        a->instrument_out = words[2];
        return 3;
    } else
        return 0;
    return 1;
}

static bool take_own_flags(tsl_cc_args *a, tsl_cc_words *all, tsl_err *err) {
    for (size_t i = 0; i < all->len;) {
        int taken = own_flag(a, all->data + i, all->len - i, err);
        if (taken < 0)
            return false;
        if (!taken)
            tsl_vec_push(&a->words, all->data[i]);
        i += taken ? (size_t)taken : 1;
    }
    return true;
}

// ---------------------------------------------------------------- parsing

// Parses one flag with its value and returns the number of words taken.
static size_t parse_flag(tsl_cc_args *a, const char *word, const char *next,
                         const char **language) {
    const rule *r = find_rule(word);
    bool separate = takes_next(r, word);
    if (separate && !next) { // clang reports the missing value
        a->mode = TSL_CC_MODE_STRAIGHT;
        return 1;
    }
    const char *value = separate ? next : word + strlen(r->flag);
    if (r->action != PREPROCESSOR)
        add_flag(a, word, separate ? next : NULL, r->stages);
    act(a, r->action, word, value, language);
    return separate ? 2 : 1;
}

static void settle_mode(tsl_cc_args *a) {
    size_t headers = 0;
    for (size_t i = 0; i < a->inputs.len; i++)
        headers += a->inputs.data[i].kind == TSL_CC_INPUT_HEADER;
    if (!a->inputs.len)
        raise_mode(a, TSL_CC_MODE_STRAIGHT);
    else if (headers == a->inputs.len)
        raise_mode(a, TSL_CC_MODE_PREPROCESS);
}

bool tsl_cc_args_parse(tsl_cc_args *a, int argc, char **argv, tsl_err *err) {
    tsl_cc_words all = {0};
    const char *language = NULL;
    bool only_inputs = false;
    memset(a, 0, sizeof *a);
    for (int i = 0; i < argc; i++)
        if (!tsl_respfile_expand(&all, argv[i], 0, err))
            return false;
    bool ok = take_own_flags(a, &all, err);
    tsl_vec_drop(&all);
    for (size_t i = 0; ok && i < a->words.len;) {
        const char *word = a->words.data[i];
        const char *next = i + 1 < a->words.len ? a->words.data[i + 1] : NULL;
        if (!only_inputs && !strcmp(word, "--")) {
            only_inputs = true;
            i++;
        } else if (only_inputs || word[0] != '-' || !word[1]) {
            add_input(a, word, language);
            i++;
        } else {
            i += parse_flag(a, word, next, &language);
        }
    }
    settle_mode(a);
    return ok;
}
